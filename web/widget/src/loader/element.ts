import { Http } from '../../../client/src/http.ts'
import { getContract, getStatus } from '../../../client/src/routes.ts'
import { tokenFrom, Tokens, type TokenSource } from '../../../client/src/tokens.ts'
import type { Contract, Status } from '../../../client/src/wire.ts'
import type { Host, Panel, PanelModule } from '../shared/host.ts'
import { StewardCloseEvent, StewardNavigateEvent, StewardOpenEvent, StewardReauthEvent, type StewardEventMap } from './events.ts'
import { Launcher } from './launcher.ts'
import { isRtl, localeOf } from './locale.ts'
import { TabMemory } from './memory.ts'
import { loadModule } from './modules.ts'
import { Placement } from './placement.ts'
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
  static base = ''
  static readonly observedAttributes = ['locale', 'theme', 'layout']

  readonly #shadow = this.attachShadow({ mode: 'open' })
  readonly #frame = document.createElement('div')
  #source: TokenSource | undefined
  #http: Http | undefined
  #status: Status | undefined
  #contract: Contract | undefined
  #theme: Theme | undefined
  #launcher: Launcher | undefined
  #placement: Placement | undefined
  #shortcut = new Shortcut('')
  #memory: TabMemory | undefined
  #live: AbortController | undefined
  #opened = false

  /** Gives the member's token; takes the place of token-url. */
  get token(): TokenSource | undefined {
    return this.#source
  }

  set token(source: TokenSource | undefined) {
    this.#source = source
    this.#http?.tokens.forget()
    if (this.isConnected && source !== undefined && this.#contract === undefined) void this.#start()
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
    if (this.#contract === undefined) void this.#start()
    else this.#attach()
  }

  disconnectedCallback(): void {
    this.#detach()
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
    this.#memory?.write({ open: false })
    this.#launcher?.opened(false)
    void claim.panel?.then((panel) => panel.hide())
    this.dispatchEvent(new StewardCloseEvent())
  }

  async #start(): Promise<void> {
    const url = this.getAttribute('token-url')
    const source = this.#source ?? (url ? tokenFrom(url) : undefined)
    if (source === undefined || this.#http !== undefined) return
    const { base } = StewardAssistant
    const http = (this.#http = new Http({ base, tokens: new Tokens(source), locale: () => localeOf(this), refused }))
    try {
      const [status, token] = await Promise.all([getStatus(http), http.tokens.get()])
      if (!status.enabled || token === null) return this.#giveUp()
      this.#contract = await getContract(http)
      this.#status = status
    } catch (error) {
      console.warn('Steward is not shown:', (error as Error).message)
      return this.#giveUp() // shut out, or not to be reached: a guest draws nothing that it can't serve
    }
    if (!this.isConnected || claim.owner !== this) return
    this.#memory = new TabMemory(base)
    this.#draw(this.#status)
    this.#attach()
  }

  /** Leaves no trace, and lets a later token try again. */
  #giveUp(): void {
    this.#http = undefined
  }

  #draw(status: Status): void {
    const { launcher } = status
    this.#shortcut = new Shortcut(this.getAttribute('shortcut') ?? launcher.shortcut)
    this.#launcher = new Launcher(
      { title: launcher.title, word: ask(localeOf(this)), keys: this.#shortcut.label, guide: status.answers === 'guide' },
      () => void this.#open(true),
    )
    this.#theme = new Theme(this, this.#shadow, launcherStyles)
    this.#frame.append(this.#launcher.button)
    this.#shadow.append(this.#frame)
    this.#refresh()
  }

  #attach(): void {
    const { signal } = (this.#live = new AbortController())
    if (!this.#launcher || !this.#status) return
    const { bottomBar, drawer } = this.#status.launcher
    this.#placement = new Placement({ launcher: this.#launcher.button, bottomBar, drawer })
    addEventListener(
      'keydown',
      (event) => {
        if (!this.#shortcut.matches(event)) return
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
    const host = this.#host()
    if (host) void claim.panel?.then((panel) => panel.adopt(host))
    if (this.#memory?.read().open) void this.#open(false)
  }

  #detach(): void {
    this.#live?.abort()
    this.#placement?.end()
  }

  #refresh(): void {
    this.#frame.dir = isRtl(this) ? 'rtl' : 'ltr'
    this.#theme?.refresh()
    if (claim.owner === this) void claim.panel?.then((panel) => panel.refresh())
  }

  async #open(focus: boolean): Promise<void> {
    const host = this.#host()
    if (host === null || this.#launcher === undefined) return
    this.#opened = true
    host.memory.write({ open: true })
    claim.panel ??= loadModule(StewardAssistant.base, 'panel.js').then((module) => (module as PanelModule).mountPanel(host))
    try {
      const panel = await claim.panel
      if (!this.#opened) return
      panel.show(focus)
      this.#launcher.opened(true)
      this.dispatchEvent(new StewardOpenEvent())
    } catch {
      claim.panel = null // the file did not come: the launcher stays, and the next press tries again
      this.#opened = false
    }
  }

  #host(): Host | null {
    const [http, status, contract, memory] = [this.#http, this.#status, this.#contract, this.#memory]
    if (!http || !status || !contract || !memory) return null
    return {
      element: this,
      root: this.#frame,
      style: (light, dark, part) => this.#theme?.add(light, dark, part),
      http,
      status,
      contract,
      memory,
      locale: () => localeOf(this),
      rtl: () => isRtl(this),
      load: (name) => loadModule(http.base, name),
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
}

declare global {
  interface HTMLElementTagNameMap {
    'steward-assistant': StewardAssistant
  }
  interface HTMLElementEventMap extends StewardEventMap {}
}

/** What a host's engineer is told of a refusal: the status, and of its document the code, the field and the sentence. */
async function refused(response: Response): Promise<Error> {
  const { code, field, detail } = (await response.json().catch(() => 0)) as Record<string, string>
  return Error([response.status, code, field, detail].filter(Boolean).join(' '))
}

/** The launcher's own word, until the texts are loaded. */
function ask(locale: string): string {
  return /^(he|iw)/i.test(locale) ? 'לשאול' : /^ru/i.test(locale) ? 'Спросить' : 'Ask'
}
