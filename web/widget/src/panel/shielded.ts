import { html, type TemplateResult } from 'lit'
import type { Words } from '../../../client/src/words.ts'

/** Draws a part; one that can't be drawn says so in its place, and all others stand. */
export function shielded<T>(words: Words, draw: () => T): T | TemplateResult {
  try {
    return draw()
  } catch (error) {
    console.warn('Steward could not draw a part of a conversation:', error)
    return html`<p class="meta">${words.text('ui.notDrawn')}</p>`
  }
}
