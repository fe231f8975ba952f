import { html, nothing, type TemplateResult } from 'lit'
import type { ShownCall } from '../../../client/src/state.ts'
import { isCode } from '../../../client/src/problem.ts'
import type { Words } from '../../../client/src/words.ts'
import { icon } from './icon.ts'
import { tableRows } from './table.ts'
import type { StewardView } from './view.ts'

/** How much of one text is shown, in characters. */
const mostShown = 4000

/** A group of calls: a line each while they run, one folded line when they are done. What failed stays in view. */
export function lookups(view: StewardView, key: string, calls: readonly ShownCall[]): TemplateResult {
  const { words } = view.app
  const running = calls.some((c) => c.state === 'pending' || c.state === 'running')
  if (running && view.app.view.state.phase === 'running') return html`<div class="lookups">${calls.map((c) => progressLine(view, c))}</div>`
  const failed = calls.filter((c) => c.state === 'failed')
  const done = calls.filter((c) => c.state === 'succeeded')
  const open = view.unfolded.has(key)
  const took = calls.reduce((sum, c) => sum + c.durationMs, 0)
  return html`<div class="lookups">
    ${done.length === 0 && !open
      ? nothing
      : html`<button type="button" class="progress fold" aria-expanded=${open} @click=${() => view.toggle(key)}>
          <span class="good">${icon('tick', 14)}</span><span>${words.count('ui.lookups', done.length)}</span>
          <span class="seconds">${words.seconds(took)}</span>${icon(open ? 'down' : 'next', 14)}</button>`}
    ${failed.map((c) => progressLine(view, c))}
    ${open ? html`<div class="opened">${calls.map((c) => detail(view, c))}</div>` : nothing}
  </div>`
}

/** What people call a call: its progress line; never the tool's id where there is a name. */
function labelOf(view: StewardView, call: ShownCall): string {
  if (call.label && call.label !== call.name) return call.label
  const tool = view.app.host.contract.tools.find(({ name }) => name === call.name)
  return tool?.progress || tool?.summary || call.name
}

/** Whether a call has arguments to show. */
function hasArgs({ args }: ShownCall): boolean {
  return Boolean(args) && args !== '{}'
}

function progressLine(view: StewardView, call: ShownCall): TemplateResult {
  const { words } = view.app
  if (call.state === 'failed') {
    return html`<div class="progress bad">${icon('fault', 14)}<span><span dir="auto">${labelOf(view, call)}</span>
      <span class="because" dir="auto">${call.sentence || sentenceOf(words, call.code)}</span></span></div>`
  }
  if (call.state === 'succeeded') {
    return html`<div class="progress"><span class="good">${icon('tick', 14)}</span><span dir="auto">${labelOf(view, call)}</span>
      <span class="seconds">${words.seconds(call.durationMs)}</span></div>`
  }
  const seconds = call.startedAt === undefined ? 0 : Math.floor((Date.now() - call.startedAt) / 1000)
  return html`<div class="progress"><span class="ring"></span><span dir="auto">${labelOf(view, call)}</span>
    ${seconds < 1 ? nothing : html`<span class="seconds">${words.text('ui.seconds', { n: seconds })}</span>`}</div>`
}

/** One call as it is looked into: what was asked, and what came. */
export function detail(view: StewardView, call: ShownCall): TemplateResult {
  const { words } = view.app
  return html`<div class="call">
    <p class="call-head">${icon('table')}<span dir="auto">${labelOf(view, call)}</span><span class="seconds">${words.seconds(call.durationMs)}</span></p>
    ${hasArgs(call) ? html`<p class="label">${words.text('ui.arguments')}<bdi class="mono">${call.name}</bdi></p><pre class="mono" dir="ltr" tabindex="0">${pretty(call.args)}</pre>` : nothing}
    ${call.table
      ? html`<div class="wide" tabindex="0" role="group" aria-label=${labelOf(view, call)}>${tableRows(words, call.table, call.table.rows.length)}</div>`
      : call.content
        ? html`<p class="label">${words.text('ui.result')}</p><pre class="mono" dir="ltr" tabindex="0">${pretty(call.content)}</pre>`
        : nothing}
  </div>`
}

/** The catalogue's sentence for a code, for a server that sent none. */
function sentenceOf(words: Words, code: string | undefined): string {
  return words.text(`code.${isCode(code) ? code : 'unreadable'}.message`)
}

/** JSON laid out to be read, other text as it is. An older server may send the value itself in place of its text. */
function pretty(value: unknown): string {
  let read = value
  try {
    if (typeof value === 'string') read = JSON.parse(value)
  } catch {
    return String(value).slice(0, mostShown)
  }
  return (JSON.stringify(read, null, 2) ?? '').slice(0, mostShown)
}
