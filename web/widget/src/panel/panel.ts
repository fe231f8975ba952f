import type { Host, Panel } from '../shared/host.ts'
import { App } from './app.ts'
import { Frame } from './frame.ts'
import { StewardReply } from './markdown/reply.ts'
import { StewardView } from './view.ts'

/** Draws the panel into a host's element, closed. */
export async function mountPanel(host: Host): Promise<Panel> {
  define('steward-reply', StewardReply)
  define('steward-view', StewardView)
  const view = new StewardView()
  view.className = 'view'
  const app = await App.start(host, () => view.redraw())
  view.app = app
  return new MountedPanel(app, view)
}

/** A newer build in a page that has an older one keeps the older: both can't have the name. */
function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}

class MountedPanel implements Panel {
  readonly #app: App
  readonly #view: StewardView
  readonly #frame: Frame
  #live: AbortController | undefined
  #path = location.pathname

  constructor(app: App, view: StewardView) {
    this.#app = app
    this.#view = view
    this.#frame = new Frame(app.host, (layout) => {
      view.toggleAttribute('phone', layout === 'sheet')
      view.redraw()
    })
    this.#frame.box.append(view)
    view.tooLow = () => this.#frame.raise()
    this.#name()
  }

  show(focus: boolean): void {
    this.#live?.abort()
    const { signal } = (this.#live = new AbortController())
    this.#frame.show(!focus)
    this.#frame.box.addEventListener('keydown', (event) => this.#escape(event), { signal })
    // A page that changes by itself, without a load: what is seen and what to begin with follow it.
    const moved = (): void => this.#moved()
    addEventListener('popstate', moved, { signal })
    addEventListener('click', () => queueMicrotask(moved), { signal })
    ;(globalThis as { navigation?: EventTarget }).navigation?.addEventListener('navigatesuccess', moved, { signal })
    addEventListener('online', () => void this.#app.session.reconnect(), { signal })
    let hiddenAt = 0
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) hiddenAt = Date.now()
        else if (hiddenAt > 0 && Date.now() - hiddenAt > 30_000) this.#app.lookAgain()
      },
      { signal },
    )
    this.#view.redraw()
    if (focus) void this.#view.updateComplete.then(() => this.#view.focusComposer())
  }

  hide(): void {
    this.#live?.abort()
    this.#frame.hide()
  }

  adopt(host: Host): void {
    this.#app.host = host
    this.#frame.adopt(host)
    this.refresh()
  }

  refresh(): void {
    void this.#app.speak().then(() => this.#name())
    this.#frame.lay()
    this.#moved()
    this.#view.redraw()
  }

  #name(): void {
    const { host, words } = this.#app
    this.#frame.name(host.contract.persona.title || host.status.launcher.title, words.text('ui.resize'))
    this.#view.lang = words.language
  }

  #moved(): void {
    if (location.pathname === this.#path) return
    this.#path = location.pathname
    this.#app.seesPage = true
    this.#view.redraw()
  }

  #escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return
    event.stopPropagation()
    if (!this.#view.escape()) this.#app.host.close()
  }
}
