import { html, nothing, type TemplateResult } from 'lit'
import type { Usage } from '../../../client/src/event.gen.ts'
import type { App } from './app.ts'
import { icon } from './icon.ts'

/** The line under the composer: who answers, and what the last turn used. */
export function usageLine(app: App): TemplateResult {
  const { words } = app
  const { state } = app.view
  const turn = state.messages.findLast((m) => m.turn !== undefined)?.turn
  const guided = (turn?.answers ?? app.host.contract.answers) === 'guide'
  const used = state.phase === 'running' ? state.usage : (turn?.usage ?? state.usage)
  const tokens = guided ? null : total(used)
  return html`<p class="usage">
    <span>${guided ? icon('signpost', 14) : icon('house', 14)}${guided ? words.text('ui.railGuide') : words.text('ui.answeredBy', { name: app.host.contract.product.name })}</span>
    ${tokens === null ? nothing : html`<span class="tokens">${words.count('ui.tokens', tokens)}</span>`}
  </p>`
}

/** All tokens of a turn; null where any part is unknown, which is not zero. */
export function total(usage: Usage | undefined): number | null {
  if (!usage || usage.inputTokens === null || usage.outputTokens === null || usage.rounds === 0) return null
  return usage.inputTokens + usage.outputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0)
}
