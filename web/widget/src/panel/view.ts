import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import type { LinkRules } from '../../../client/src/links.ts'
import { turnsOf } from '../../../client/src/turns.ts'
import type { App, Face } from './app.ts'
import { announcement } from './announcement.ts'
import { basisFace } from './basis.ts'
import { composer } from './composer.ts'
import { header } from './header.ts'
import { listFace } from './list.ts'
import { LogScroll } from './logscroll.ts'
import { droppedNote, problemNote } from './note.ts'
import { shielded } from './shielded.ts'
import { starters } from './starters.ts'
import { styles } from './styles/index.ts'
import { icon } from './icon.ts'
import { follow, turn } from './turn.ts'
import { usageLine } from './usage.ts'

/** The inside of the panel: header, log, composer, usage line; or one of the other faces. */
export class StewardView extends LitElement {
  static override readonly styles = styles
  static override readonly properties = { app: { attribute: false } }

  declare app: App
  /** Which call groups and tables were opened, by their keys. */
  readonly unfolded = new Set<string>()
  /** Whether the menu of further actions is open. */
  menuOpen = false
  /** Whether the reason for the guide is shown. */
  whyOpen = false
  /** Called when an answer does not fit into what is shown of the log. */
  tooLow: () => void = () => undefined
  /** What is searched for in the list. */
  query = ''
  /** The conversation whose erasing waits for a second word. */
  erasing = ''
  /** The message whose words were copied a moment ago. */
  copied = ''

  readonly #scroll = new LogScroll(() => this.requestUpdate())
  #tick: ReturnType<typeof setInterval> | undefined
  #spoken = { running: false, polite: '', assertive: '' }
  #shown = ''
  #face: Face = 'conversation'
  #rules: LinkRules | undefined
  #due = false

  /** Redraws before the next frame; many changes in one frame are drawn once. */
  redraw(): void {
    if (this.#due) return
    this.#due = true
    const draw = (): void => {
      this.#due = false
      this.requestUpdate()
    }
    // A page that is hidden has no frames; what it holds must be right when it is seen again.
    if (document.hidden) queueMicrotask(draw)
    else requestAnimationFrame(draw)
  }

  /** Puts the cursor where the next words go. */
  focusComposer(): void {
    for (const wanted of ['textarea', 'input', 'button']) {
      const field = this.renderRoot.querySelector<HTMLElement>(wanted)
      if (field !== null) return field.focus({ preventScroll: true })
    }
  }

  /** Shows the answer that comes next from its first line on, as after sending. */
  follow(): void {
    this.#scroll.toAnswer()
    // A phone's keyboard would lie over the answer; the box keeps the focus inside the sheet.
    if (this.hasAttribute('phone') && matchMedia('(hover: none)').matches) this.parentElement?.focus({ preventScroll: true })
  }

  /** Sends words that stand on the screen. */
  ask(text: string): void {
    this.app.send(text)
    this.follow()
  }

  /** Puts words into the field, with the part selected that is to be replaced. */
  write(text: string, part: string): void {
    this.app.text = text
    this.requestUpdate()
    void this.updateComplete.then(() => {
      this.focusComposer()
      const at = text.indexOf(part)
      this.renderRoot.querySelector('textarea')?.setSelectionRange(at, at + part.length)
    })
  }

  /** What links of replies may lead to; the same object while the contract is the same. */
  get rules(): LinkRules {
    const { contract } = this.app.host
    if (this.#rules?.nav !== contract.nav) this.#rules = { origin: location.origin, nav: contract.nav, linkOrigins: contract.linkOrigins }
    return this.#rules
  }

  /** Opens or folds a part. */
  toggle(key: string): void {
    if (!this.unfolded.delete(key)) this.unfolded.add(key)
    this.requestUpdate()
  }

  /** Closes what lies over the panel; false when nothing did. */
  escape(): boolean {
    if (this.menuOpen || this.erasing !== '') {
      this.menuOpen = false
      this.erasing = ''
      this.requestUpdate()
      return true
    }
    if (this.app.face === 'conversation') return false
    this.app.show('conversation')
    return true
  }

  /** Copies words, and says so in their place for a moment. */
  async copy(key: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return // the browser forbids it here; nothing was promised
    }
    this.copied = key
    this.requestUpdate()
    setTimeout(() => {
      if (this.copied === key) this.copied = ''
      this.requestUpdate()
    }, 1500)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#tick)
    this.#tick = undefined
    this.#scroll.detach()
  }

  protected override render(): TemplateResult {
    const { app } = this
    const { face } = app
    return html`
      ${header(this)}
      ${face === 'conversation' ? this.#conversation() : shielded(app.words, () => (face === 'list' ? listFace(this) : basisFace(this, face.basis)))}
      <div class="unseen" role="status" aria-live="polite">${this.#spoken.polite}</div>
      <div class="unseen" role="alert">${this.#spoken.assertive}</div>
    `
  }

  #conversation(): TemplateResult {
    const { app } = this
    const { view, words } = app
    const turns = turnsOf(view.state)
    const empty = turns.length === 0
    return html`
      ${this.#guideStrip()}
      <div class="log-frame">
        <div class="log ${empty ? 'empty' : ''}" tabindex="0" role="region" aria-label=${words.text('ui.log')} @click=${(event: MouseEvent) => this.#link(event)}>
          <div class="log-inner">
            ${view.state.before === undefined ? nothing : html`<button class="quiet earlier" type="button" @click=${() => void this.#older()}>${words.text('ui.earlier')}</button>`}
            ${empty && view.loading ? html`<p class="meta">${words.text('ui.loading')}</p>` : nothing}
            ${empty && !view.loading ? starters(this) : nothing}
            ${turns.map((t, i) => turn(this, t, i === turns.length - 1))}
            ${view.line === 'dropped' ? droppedNote(words) : nothing}
            ${view.problem === undefined ? nothing : problemNote(this, view.problem)}
          </div>
        </div>
        ${this.#scroll.newBelow
          ? html`<button class="below" type="button" @click=${() => this.#scroll.toEnd()}>${icon('down', 14)}${words.text('ui.newBelow')}</button>`
          : nothing}
      </div>
      <div class="foot">${composer(this)}${usageLine(app)}</div>
    `
  }

  #guideStrip(): TemplateResult | typeof nothing {
    const { app } = this
    const { words } = app
    const last = app.view.state.messages.findLast((m) => m.turn !== undefined)?.turn
    const guided = app.view.state.messages.length === 0 || last?.answers === undefined ? app.guided : last.answers === 'guide'
    if (!guided) return nothing
    const reason = last?.guideReason ?? app.host.contract.guideReason ?? 'no_key'
    const key = ({ no_key: 'ui.whyNoKey', unavailable: 'ui.whyUnavailable', budget: 'ui.whyBudget', agent_off: 'ui.whyAgentOff', asked: 'ui.whyAsked' } as const)[reason]
    return html`<div class="strip">
      <p>${icon('signpost', 16)}<b>${words.text('ui.guide')}</b> ${words.text('ui.guideText')}
        <button type="button" class="link" aria-expanded=${this.whyOpen} @click=${() => this.#why()}>${words.text('ui.why')}</button></p>
      ${this.whyOpen ? html`<p class="because">${words.text(key)}</p>` : nothing}
    </div>`
  }

  /** A link of a reply to a page of the host goes the host's way. */
  #link(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('.reply a') : null
    const path = link?.getAttribute('href')
    if (path?.startsWith('/')) follow(this, event, path)
  }

  #why(): void {
    this.whyOpen = !this.whyOpen
    this.requestUpdate()
  }

  async #older(): Promise<void> {
    this.#scroll.keepPlace()
    await this.app.session.loadOlder()
  }

  protected override willUpdate(_: PropertyValues): void {
    this.#spoken = announcement(this.app, this.#spoken)
    // Seconds are counted only while something runs.
    const running = this.app.view.state.phase === 'running'
    if (running && this.#tick === undefined) this.#tick = setInterval(() => this.requestUpdate(), 1000)
    if (!running && this.#tick !== undefined) {
      clearInterval(this.#tick)
      this.#tick = undefined
    }
    if (this.app.session.id !== this.#shown) {
      this.#shown = this.app.session.id
      this.unfolded.clear()
      this.#scroll.begin(this.app.host.memory.read().scroll)
    }
  }

  protected override updated(): void {
    const log = this.renderRoot.querySelector<HTMLElement>('.log')
    const inner = this.renderRoot.querySelector<HTMLElement>('.log-inner')
    if (log !== null && inner !== null) this.#scroll.attach(log, inner, { told: (scroll) => this.app.host.memory.write({ scroll }), overflows: () => this.tooLow() })
    else this.#scroll.detach()
    const field = this.renderRoot.querySelector<HTMLTextAreaElement>('textarea')
    if (field !== null) fit(field)
    // What had the focus went with the face it was on.
    if (this.app.face !== this.#face) {
      this.#face = this.app.face
      this.focusComposer()
    }
  }
}

/** Makes a field as high as its text, to its greatest height, set by the style sheet. */
function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight}px`
}
