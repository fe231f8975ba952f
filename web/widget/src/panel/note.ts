import { html, nothing, type TemplateResult } from 'lit'
import type { Action, Code } from '../../../client/src/event.gen.ts'
import type { Problem } from '../../../client/src/problem.ts'
import type { ShownMessage } from '../../../client/src/state.ts'
import type { Words } from '../../../client/src/words.ts'
import { icon } from './icon.ts'
import type { IconName } from './icons.ts'
import type { StewardView } from './view.ts'

/** How a note looks: brick failed, brass is a limit, plain is only to be known. */
type Tone = 'bad' | 'wait' | 'plain'

const looks: Partial<Record<Code, [IconName, Tone]>> = {
  provider_unreachable: ['line', 'bad'],
  provider_unavailable: ['line', 'bad'],
  unreachable: ['line', 'bad'],
  unavailable: ['line', 'bad'],
  provider_unauthorized: ['key', 'bad'],
  key_invalid: ['key', 'bad'],
  provider_out_of_credit: ['coin', 'wait'],
  out_of_credit: ['coin', 'wait'],
  budget_exhausted: ['gauge', 'wait'],
  quota_exceeded: ['clock', 'wait'],
  abuse_blocked: ['clock', 'wait'],
  provider_rate_limited: ['clock', 'wait'],
  provider_overloaded: ['clock', 'wait'],
  overloaded: ['clock', 'wait'],
  turn_in_progress: ['clock', 'wait'],
  max_rounds_reached: ['minus', 'wait'],
  provider_output_truncated: ['warn', 'wait'],
  body_too_large: ['warn', 'wait'],
  bad_request: ['warn', 'wait'],
  aborted: ['stop', 'plain'],
  interrupted: ['again', 'plain'],
  refused: ['minus', 'plain'],
  agent_disabled: ['pause', 'plain'],
  not_configured: ['pause', 'plain'],
  forbidden: ['lock', 'plain'],
  unauthorized: ['lock', 'plain'],
  grant_expired: ['lock', 'plain'],
  not_found: ['minus', 'plain'],
  duplicate_mismatch: ['again', 'plain'],
  history_diverged: ['again', 'plain'],
  not_run_round_limit: ['minus', 'wait'],
}

/** The faults of a model's provider, or of its absence, which the guide does not share. */
const guideHelps: ReadonlySet<Code> = new Set<Code>([
  'provider_unreachable',
  'provider_unauthorized',
  'provider_overloaded',
  'provider_unavailable',
  'provider_rate_limited',
  'provider_out_of_credit',
  'not_configured',
])

/** How a turn ended that did not end well. Its actions are there while it is the last. */
export function endNote(view: StewardView, said: ShownMessage, last: boolean): TemplateResult | typeof nothing {
  const { turn } = said
  if (turn?.code === undefined) return nothing
  const { words } = view.app
  const about = { messageId: said.id, traceId: turn.traceId ?? '' }
  return note(view, {
    code: turn.code,
    sentence: turn.message || words.text(`code.${turn.code}.message`),
    action: last ? (turn.action ?? 'none') : 'none',
    traceId: last ? about.traceId : '',
    guide: last && turn.answers !== 'guide',
    act: (action) => view.app.act(action, about),
  })
}

/** Why the last request was refused. */
export function problemNote(view: StewardView, problem: Problem): TemplateResult {
  const { words, text } = view.app
  const said = view.app.view.state.messages.findLast((m) => m.role === 'user')
  let sentence = problem.sentence || words.text(`code.${problem.code}.message`)
  if (problem.retryAfterSeconds > 0) {
    const at = new Date(Date.now() + problem.retryAfterSeconds * 1000)
    const time = new Intl.DateTimeFormat(words.language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
    sentence += ' ' + words.text('ui.nextAt', { time })
  }
  const about: { messageId?: string; text?: string; traceId?: string } = { traceId: problem.traceId }
  const unsent = view.app.view.unsent ?? text
  if (unsent !== '') about.text = unsent
  else if (said !== undefined) about.messageId = said.id
  return note(view, { code: problem.code, sentence, action: problem.action, traceId: problem.traceId, guide: about.text !== undefined || about.messageId !== undefined, act: (action) => view.app.act(action, about) })
}

/** That the line is taken up again. It waits a moment before it shows: most cuts are over by then. */
export function droppedNote(words: Words): TemplateResult {
  return html`<div class="note late">${icon('again')}<div><h3>${words.text('ui.droppedTitle')}</h3><p>${words.text('ui.droppedMessage')}</p></div></div>`
}

interface NoteParts {
  code: Code
  sentence: string
  action: Action
  traceId: string
  /** Whether the words may be sent to the guide in the model's place. */
  guide: boolean
  act: (action: Action) => void
}

function note(view: StewardView, parts: NoteParts): TemplateResult {
  const { words, maySend } = view.app
  const [name, tone] = looks[parts.code] ?? ['fault', 'bad']
  const offered = parts.action !== 'none' && parts.action !== 'wait' && (maySend || parts.action === 'operator' || parts.action === 'new')
  const trace = parts.traceId !== '' && (tone === 'bad' || (tone === 'wait' && offered))
  const guide = parts.guide && maySend && guideHelps.has(parts.code) && parts.action !== 'use_guide' && view.app.host.contract.answers !== 'none'
  const copyToo = trace && parts.action !== 'operator'
  return html`<div class="note ${tone}">${icon(name)}<div>
    <h3>${words.title(parts.code)}</h3>
    <p dir="auto">${parts.sentence}</p>
    ${offered || guide || trace
      ? html`<div class="actions">
          ${offered
            ? html`<button type="button" class="button" @click=${() => parts.act(parts.action)}>${parts.action === 'retry' ? icon('again', 14) : parts.action === 'operator' ? icon('copy', 14) : nothing}${words.text(`code.action.${parts.action as Exclude<Action, 'none'>}`)}</button>`
            : nothing}
          ${guide ? html`<button type="button" class="quiet" @click=${() => parts.act('use_guide')}>${words.text('code.action.use_guide')}</button>` : nothing}
          ${copyToo ? traceButton(view, parts.traceId, words.text('ui.trace')) : nothing}
        </div>`
      : nothing}
  </div></div>`
}

/** A trace by its end, which is short enough to read out and is found in a log as it stands; pressed, it copies the whole. */
export function traceButton(view: StewardView, id: string, label: string): TemplateResult {
  const { words } = view.app
  return html`<button type="button" class="trace" title=${words.text('ui.copyTrace')} @click=${() => void view.copy(id, id)}>
    ${view.copied === id ? words.text('ui.copied') : label} <bdi class="mono">${id.slice(-8)}</bdi></button>`
}
