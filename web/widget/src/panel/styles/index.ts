import { unsafeCSS } from 'lit'
import base from './base.css'
import composer from './composer.css'
import face from './face.css'
import log from './log.css'

/** All styles inside the panel; they are files of this build, so nothing unsafe is among them. */
export const styles = [base, log, composer, face].map((text) => unsafeCSS(text))
