import { Http } from '../../../client/src/http.ts'
import { getContract, getStatus } from '../../../client/src/routes.ts'
import { tokenFrom, Tokens, type TokenSource } from '../../../client/src/tokens.ts'
import type { Contract, Status } from '../../../client/src/wire.ts'
import type { Host, Panel, PanelModule } from '../shared/host.ts'
import { StewardCloseEvent, StewardNavigateEvent, StewardOpenEvent, StewardReauthEvent, type StewardEventMap } from './events.ts'
import { launcherOf, type Launcher } from './launcher.ts'
import { isRtl, localeOf } from './locale.ts'
import { TabMemory } from './memory.ts'
import { loadModule } from './modules.ts'
import { place } from './placement.ts'
import { Shortcut } from './shortcut.ts'
import launcherStyles from './styles/launcher.css'
import { Theme } from './theme.ts'

/** What outlives an element when a framework makes the page anew: who serves the page, and the panel it opened. */
interface Claim {
  owner: StewardAssistant | null
  panel: Promise<Panel> | null
}

const claim: Claim = { owner: null, panel: null }

/**
 * `<steward-assistant token-url="/session/token">`: the launcher and, once opened, the panel. One serves a page; another
 * stands by. Attributes: token-url, locale, theme (light, dark), layout (dock, slide-over, card), dock-inset ("host" where
 * the page makes room itself). It draws nothing where the assistant is off, nobody is signed in, or the role is shut out.
 */
export class StewardAssistant extends HTMLElement {
  /** Where Steward is mounted; set once by the script. */
  declare static base: string
  static readonly observedAttributes = ['locale', 'theme', 'layout']

  readonly #shadow = this.attachShadow({ mode: 'open' })
  readonly #frame = document.createElement('div')
  #source: TokenSource | undefined
  /** There from the first question to Steward on; gone again where it came to nothing. */
  #http: Http | undefined
  /** There once the launcher is drawn, with it and its theme. */
  #host: Host | undefined
  #theme: Theme | undefined
  #launcher: Launcher | undefined
  #shortcut: Shortcut | undefined
  #live: AbortController | undefined
  #opened = false

  /** Gives the member's token; takes the place of token-url. */
  get token(): TokenSource | undefined {
    return this.#source
  }

  set token(source: TokenSource | undefined) {
    this.#source = source
    this.#http?.tokens.forget()
    if (this.isConnected && source && !this.#host) void this.#start()
  }

  /** Whether the panel is open. */
  get open(): boolean {
    return this.#opened
  }

  connectedCallback(): void {
    // A property set before the script came stands on the element itself and hides the setter.
    if (Object.hasOwn(this, 'token')) {
      const early = (this as { token?: TokenSource }).token
      delete (this as { token?: TokenSource }).token
      this.#source = early
    }
    if (claim.owner !== this && claim.owner?.isConnected) return
    claim.owner = this
    if (this.#host) this.#attach(this.#host)
    else void this.#start()
  }

  disconnectedCallback(): void {
    this.#live?.abort()
    if (claim.owner !== this) return
    claim.owner = null
    // Another that stood by takes over.
    document.querySelector<StewardAssistant>('steward-assistant')?.connectedCallback()
  }

  attributeChangedCallback(): void {
    this.#refresh()
  }

  /** Opens the panel. */
  async show(): Promise<void> {
    await this.#open(true)
  }

  /** Closes the panel. */
  hide(): void {
    if (!this.#opened) return
    this.#opened = false
    this.#host?.memory.write({ open: false })
    this.#launcher?.button.toggleAttribute('hidden', false)
    void claim.panel?.then((panel) => panel.hide())
    this.dispatchEvent(new StewardCloseEvent())
  }

  async #start(last = false): Promise<void> {
    const url = this.getAttribute('token-url')
    const source = this.#source ?? (url ? tokenFrom(url) : undefined)
    if (this.#http) return
    if (!source) {
      if (!last) loaded(() => void this.#start(true))
      else if (claim.owner === this) this.#tell(Error('the element has no token-url and no token function'))
      return
    }
    const { base } = StewardAssistant
    const tokens = new Tokens(source, (error) => this.#tell(error))
    const http = (this.#http = new Http({ base, tokens, locale: () => localeOf(this), refused }))
    try {
      const [status, token] = await Promise.all([getStatus(http), tokens.get()])
      const contract = status.enabled && token && (await getContract(http))
      if (contract && this.isConnected && claim.owner === this) {
        this.#attach((this.#host = this.#draw(http, status, contract)))
        return
      }
    } catch (error) {
      this.#tell(error) // shut out, or not to be reached: a guest draws nothing that it can't serve
    }
    this.#http = undefined // no trace is left, and a later token may try again
  }

  /** Tells whoever set it up. */
  #tell(error: unknown): void {
    console.warn(`Steward${this.#launcher ? '' : ' is not shown'}:`, (error as Error).message)
  }

  #draw(http: Http, status: Status, contract: Contract): Host {
    const { title, shortcut } = status.launcher
    this.#shortcut = new Shortcut(this.getAttribute('shortcut') ?? shortcut)
    this.#launcher = launcherOf(
      { title, word: say(localeOf(this))[0], keys: this.#shortcut.label, guide: status.answers === 'guide' },
      () => void this.#open(true),
    )
    this.#theme = new Theme(this, this.#shadow, launcherStyles)
    this.#frame.append(this.#launcher.button)
    this.#shadow.append(this.#frame)
    this.#refresh()
    return {
      element: this,
      root: this.#frame,
      style: (light, dark, part) => this.#theme?.add(light, dark, part),
      http,
      status,
      contract,
      memory: new TabMemory(http.base),
      locale: () => localeOf(this),
      rtl: () => isRtl(this),
      load: (name) => loadModule(http, name),
      navigate: (path) => {
        if (this.dispatchEvent(new StewardNavigateEvent(path))) location.assign(path)
      },
      close: () => {
        this.hide()
        this.#launcher?.button.focus({ preventScroll: true })
      },
      launcher: (state) => this.#launcher?.show(state),
      reauth: () => this.dispatchEvent(new StewardReauthEvent()),
    }
  }

  #attach(host: Host): void {
    const { signal } = (this.#live = new AbortController())
    if (this.#launcher) place({ ...host.status.launcher, launcher: this.#launcher.button }, signal)
    addEventListener(
      'keydown',
      (event) => {
        if (!this.#shortcut?.matches(event)) return
        event.preventDefault()
        if (this.#opened) this.hide()
        else void this.#open(true)
      },
      { signal },
    )
    const watch = new MutationObserver(() => this.#refresh())
    watch.observe(document.documentElement, { attributeFilter: ['lang', 'dir', 'data-theme', 'class', 'style'] })
    signal.addEventListener('abort', () => watch.disconnect())
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#refresh(), { signal })
    void claim.panel?.then((panel) => panel.adopt(host))
    if (host.memory.read().open) void this.#open(false)
  }

  #refresh(): void {
    this.#frame.dir = isRtl(this) ? 'rtl' : 'ltr'
    this.#theme?.refresh()
    if (claim.owner === this) void claim.panel?.then((panel) => panel.refresh())
  }

  async #open(focus: boolean): Promise<void> {
    const host = this.#host
    if (!host) return
    this.#opened = true
    host.memory.write({ open: true })
    if (!claim.panel) {
      host.launcher({ busy: '' })
      claim.panel = host.load('panel.js').then((module) => (module as PanelModule).mountPanel(host))
    }
    try {
      const panel = await claim.panel
      if (!this.#opened) return
      panel.show(focus)
      this.#launcher?.button.toggleAttribute('hidden', true)
      this.dispatchEvent(new StewardOpenEvent())
    } catch (error) {
      claim.panel = null // the file did not come: the launcher stays, and the next press tries again
      this.#opened = false
      this.#tell(error)
      host.launcher({ busy: say(localeOf(this))[1], failed: true })
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'steward-assistant': StewardAssistant
  }
  interface HTMLElementEventMap extends StewardEventMap {}
}

/** What a host's engineer is told of a refusal: the status, of its document the code, the field and the sentence, and whose it is. */
async function refused(response: Response): Promise<Error> {
  const { code, field, detail } = (await response.json().catch(() => 0)) as Record<string, string>
  return Error([response.status, code, field, detail, response.url].filter(Boolean).join(' '))
}

/** Runs once the page and what it loads by itself had their time. */
function loaded(run: () => void): void {
  const soon = (): unknown => setTimeout(run, 1000)
  if (document.readyState === 'complete') soon()
  else addEventListener('load', soon)
}

/** The launcher's own word, and its sentence where the panel did not open: the texts are then not loaded. */
function say(locale: string): readonly [word: string, failed: string] {
  if (/^(he|iw)/i.test(locale)) return ['לשאול', 'סליחה, זה לא נפתח.']
  return /^ru/i.test(locale) ? ['Спросить', 'Извините, не открылось.'] : ['Ask', 'Sorry, this didn’t open.']
}
