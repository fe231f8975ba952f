import { StewardAssistant } from './element.ts'
import { baseOf } from './base.ts'

// A classic script knows its own address only while it runs.
const base = baseOf(document.currentScript)
if (base && !customElements.get('steward-assistant')) {
  StewardAssistant.base = base
  customElements.define('steward-assistant', StewardAssistant)
}
