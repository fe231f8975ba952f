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

/** The rows of a table. A last column of numbers stands at the end, where they are compared; all others at the start. */
export function tableRows(_: Words, table: Table, shown: number): TemplateResult {
  const last = table.columns.length - 1
  const figures = last > 0 && numeric(table.rows.map((row) => row[last] ?? ''))
  const kind = (i: number): string => (figures && i === last ? 'figures' : '')
  return html`<table>
    <thead><tr>${table.columns.map((c, i) => html`<th scope="col" class=${kind(i)}><bdi>${c}</bdi></th>`)}</tr></thead>
    <tbody>${table.rows.slice(0, shown).map((row) => html`<tr>${row.map((cell, i) => html`<td class=${kind(i)}><bdi>${cell}</bdi></td>`)}</tr>`)}</tbody>
  </table>`
}

/** Whether the cells are numbers, with a sign, a currency or a per cent; empty ones don't count against it. */
export function numeric(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '' && cell !== '–' && cell !== '—')
  return filled.length > 0 && filled.every((cell) => /^[-+−]?\p{Sc}?[-+−]?\s?\d[\d.,’'\s]*(?:%|\p{Sc})?$/u.test(cell))
}
