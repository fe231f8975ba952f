import { html, nothing, type TemplateResult } from 'lit'
import type { Table } from '../../../client/src/event.gen.ts'
import type { Words } from '../../../client/src/words.ts'
import { icon } from './icon.ts'
import type { StewardView } from './view.ts'

/** How many rows a card shows before it is opened. */
const few = 5

/** A small table as a card: what it is, its rows, and how many more there are. */
export function tableCard(view: StewardView, key: string, table: Table, label: string): TemplateResult {
  const { words } = view.app
  const open = view.unfolded.has(key)
  const shown = open ? table.rows.length : Math.min(few, table.rows.length)
  const hidden = table.rows.length - shown
  const title = table.title || label
  return html`<div class="card table-card">
    ${title ? html`<h3 dir="auto">${title}</h3>` : nothing}
    ${table.note ? html`<p class="subline" dir="auto">${table.note}</p>` : nothing}
    ${table.rows.length === 0
      ? html`<p class="subline">${words.text('ui.noRows')}</p>`
      : html`<div class="wide" tabindex="0" role="group" aria-label=${title || words.text('ui.result')}>${tableRows(words, table, shown)}</div>`}
    ${hidden > 0 || open
      ? html`<button type="button" class="more-rows" aria-expanded=${open} @click=${() => view.toggle(key)}>
          ${icon(open ? 'down' : 'next', 14)}${words.count('ui.moreRows', table.rows.length - Math.min(few, table.rows.length))}</button>`
      : nothing}
    ${table.total > table.rows.length && !table.note ? html`<p class="shown-of">${words.text('ui.shownOf', { n: words.number(table.rows.length), total: words.number(table.total) })}</p>` : nothing}
  </div>`
}

/** The rows of a table, each with the day and time parts kept together. */
export function tableRows(_: Words, table: Table, shown: number): TemplateResult {
  return html`<table>
    <thead><tr>${table.columns.map((c) => html`<th scope="col" dir="auto">${c}</th>`)}</tr></thead>
    <tbody>${table.rows.slice(0, shown).map((row) => html`<tr>${row.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>`)}</tbody>
  </table>`
}
