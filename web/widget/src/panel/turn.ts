import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { ShownMessage } from '../../../client/src/state.ts'
import type { ShownTurn } from '../../../client/src/turns.ts'
import { lookups } from './calls.ts'
import { iconButton } from './header.ts'
import { icon } from './icon.ts'
import { endNote } from './note.ts'
import { segmentsOf, type Segment } from './segments.ts'
import { shielded } from './shielded.ts'
import { tableCard } from './table.ts'
import type { StewardView } from './view.ts'

/** What a member said and what came of it. */
export function turn(view: StewardView, shown: ShownTurn, last: boolean): TemplateResult {
  const { app } = view
  // A turn that rests is drawn again only when something about it has changed.
  const second = shown.running ? Math.floor(Date.now() / 1000) : 0
  const facts = [shown.said, ...shown.replies, shown.running, last, app.words, second, app.view.line, view.copied, [...view.unfolded].join()]
  return html`<section class="turn" data-turn=${shown.key}>${guard(facts, () => shielded(app.words, () => parts(view, shown, last)))}</section>`
}

function parts(view: StewardView, shown: ShownTurn, last: boolean): TemplateResult {
  const { words } = view.app
  const { said, replies, running } = shown
  const segments = segmentsOf(replies, running, view.app.host.contract.starters.map((s) => s.text))
  return html`
    ${said === undefined ? nothing : html`<div class="said"><p dir="auto"><span class="unseen">${words.text('ui.you')}: </span>${said.text}</p></div>`}
    ${segments.map((s) => shielded(words, () => segment(view, s, running)))}
    ${running && waitsSilently(segments) ? waiting(view, said) : nothing}
    ${!running && said?.turn?.code ? endNote(view, said, last) : nothing}
    ${running ? nothing : tools(view, shown, last)}
  `
}

function segment(view: StewardView, s: Segment, running: boolean): TemplateResult | typeof nothing {
  const { words, host } = view.app
  switch (s.kind) {
    case 'calls':
      return lookups(view, s.key, s.calls)
    case 'text':
      return html`<steward-reply .rules=${view.rules} .text=${s.text} .writing=${running && s.message.state === 'draft'}></steward-reply>
        ${s.message.state === 'interrupted' && s.followed ? html`<p class="meta">${words.text('code.interrupted.title')}</p>` : nothing}`
    case 'asks':
      return askRows(view, s.asks)
    case 'cut':
      return html`<p class="meta">${words.text('ui.cutReply')}</p>`
    case 'table':
      return tableCard(view, s.key, s.table, s.label)
    case 'links':
      return html`<ul class="links">
        ${s.links.map(
          (link) => html`<li><a href=${link.path} @click=${(event: MouseEvent) => follow(view, event, link.path)}>
            ${icon('page')}<span dir="auto">${link.label}</span>${icon('next')}</a></li>`,
        )}
      </ul>`
    default: {
      const never: never = s
      void host
      return never
    }
  }
}

/** Questions that are asked by pressing them; one with a gap goes into the field, to be filled in first. */
function askRows(view: StewardView, asks: readonly string[]): TemplateResult {
  const { app } = view
  return html`<ul class="links">
    ${asks.map((ask) =>
      app.maySend
        ? html`<li><button type="button" class="ask" @click=${() => (ask.includes(gap) ? view.write(ask, gap) : view.ask(ask))}>
            ${icon('tell')}<span dir="auto">${ask}</span>${icon('next')}</button></li>`
        : html`<li dir="auto">${ask}</li>`,
    )}
  </ul>`
}

/** Stands in an example for a word that the member puts in. */
const gap = '…'

/** Leads to a page of the host, unless the member wants it in a tab of its own. */
export function follow(view: StewardView, event: MouseEvent, path: string): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  view.app.host.navigate(path)
}

/** Whether nothing on the screen shows that work goes on. */
function waitsSilently(segments: readonly Segment[]): boolean {
  const end = segments.at(-1)
  if (end === undefined) return true
  if (end.kind === 'calls') return end.calls.every((c) => c.state === 'succeeded' || c.state === 'failed')
  return end.kind === 'text' && end.message.state !== 'draft'
}

function waiting(view: StewardView, said: ShownMessage | undefined): TemplateResult {
  const { words } = view.app
  const since = view.app.startedAt(said)
  const ms = Date.now() - since
  const word = view.app.view.stopping ? 'ui.stopping' : said?.turn?.answers === 'guide' || view.app.guided ? 'ui.lookingUp' : 'ui.working'
  return html`<div class="progress"><span class="ring"></span><span>${words.text(word)}</span>
    ${ms < 1000 ? nothing : html`<span class="seconds">${words.text('ui.seconds', { n: Math.floor(ms / 1000) })}</span>`}</div>`
}

function tools(view: StewardView, shown: ShownTurn, last: boolean): TemplateResult | typeof nothing {
  const { app } = view
  const { words } = app
  const text = shown.replies.map((m) => m.text).filter(Boolean).join('\n\n')
  const calls = shown.replies.flatMap((m) => m.calls ?? [])
  if (text === '' && calls.length === 0) return nothing
  const guided = shown.said?.turn?.answers === 'guide' || shown.replies.some((m) => m.answers === 'guide')
  const read = calls.filter((c) => c.state === 'succeeded').length
  const searched = guided && (calls.length > 0 || shown.replies.some((m) => m.table !== undefined || Boolean(m.links?.length)))
  const based = searched ? words.text('ui.foundBySearch') : read === 0 ? words.text('ui.noLookups') : words.count('ui.basedOn', read)
  const { said } = shown
  return html`<div class="tools">
      ${text === '' ? nothing : iconButton(view.copied === shown.key ? 'tick' : 'copy', words.text(view.copied === shown.key ? 'ui.copied' : 'ui.copy'), () => void view.copy(shown.key, text), 16)}
      ${last && said !== undefined && app.maySend ? iconButton('again', words.text('ui.askAgain'), () => app.retry(said.id), 16) : nothing}
      <button type="button" class="based" @click=${() => app.show({ basis: shown.key })}>${based}${icon('next', 14)}</button>
    </div>
    ${last ? html`<p class="disclosure">${guided ? words.text(searched ? 'ui.disclosureGuide' : 'ui.disclosureGuideUnsearched') : app.host.contract.persona.disclosure || words.text('ui.disclosure')}</p>` : nothing}`
}
