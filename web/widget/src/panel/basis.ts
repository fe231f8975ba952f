import { html, nothing, type TemplateResult } from 'lit'
import { turnsOf } from '../../../client/src/turns.ts'
import type { Turn } from '../../../client/src/wire.ts'
import { detail } from './calls.ts'
import { traceButton } from './note.ts'
import { shielded } from './shielded.ts'
import type { StewardView } from './view.ts'

/** What a reply is based on: its look-ups, the page that was seen, who answered, what it used. */
export function basisFace(view: StewardView, key: string): TemplateResult {
  const { words, host } = view.app
  const shown = turnsOf(view.app.view.state).find((t) => t.key === key)
  const calls = shown?.replies.flatMap((m) => m.calls ?? []) ?? []
  const read = calls.filter((c) => c.state === 'succeeded').length
  const turn = shown?.said?.turn
  const page = shown?.said?.page
  return html`<div class="face" tabindex="0" role="region" aria-label=${words.text('ui.basis')}>
    <h3 class="group">${read === 0 ? words.text('ui.noLookups') : words.count('ui.lookups', read)}</h3>
    ${calls.map((c) => shielded(words, () => detail(view, c)))}
    <dl class="facts">
      ${row(words.text('ui.sawPage'), page?.title || page?.route || words.text('ui.pageLeftOut'))}
      ${row(words.text('ui.answeredByLabel'), answerer(view, turn, host.contract.product.name))}
      ${turn?.answers === 'guide' ? nothing : row(words.text('ui.tokensLabel'), tokens(view, turn))}
      ${turn?.traceId ? html`<div><dt>${words.text('ui.trace')}</dt><dd>${traceButton(view, turn.traceId, '')}</dd></div>` : nothing}
    </dl>
  </div>`
}

function row(label: string, value: string): TemplateResult {
  return html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>`
}

function answerer(view: StewardView, turn: Turn | undefined, product: string): string {
  if (turn?.answers === 'guide') return view.app.words.text('ui.railGuide')
  return turn?.model ? `${product}, ${turn.model}` : product
}

function tokens(view: StewardView, turn: Turn | undefined): string {
  const { words } = view.app
  const usage = turn?.usage
  if (!usage || usage.inputTokens === null || usage.outputTokens === null) return words.text('ui.unknown')
  const cached = usage.cacheReadTokens ?? 0
  return words.text('ui.tokensValue', {
    input: words.number(usage.inputTokens + cached + (usage.cacheWriteTokens ?? 0)),
    cached: words.number(cached),
    output: words.number(usage.outputTokens),
  })
}
