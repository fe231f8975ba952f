import { sheet } from '../shared/sheet.ts'
import dark from './styles/dark.css'
import styles from './styles/frame.css'
import light from './styles/light.css'
import { Inset } from './inset.ts'
import type { Host } from '../shared/host.ts'

/** How the panel lies: beside the page, over it, over its lower part, or in its middle. */
export type Layout = 'dock' | 'over' | 'sheet' | 'card'

/** The box in which the panel lies on the page, in the layout that its width and the host's file ask for. */
export class Frame {
  readonly box = document.createElement('div')
  readonly #scrim = document.createElement('div')
  readonly #grab = document.createElement('button')
  readonly #light = sheet(light)
  readonly #dark = sheet(dark)
  readonly #sheet = sheet(styles)
  readonly #inset = new Inset()
  #host: Host
  #listening: AbortController | undefined
  #open = false
  /** Whether the member drew the sheet down themselves. */
  #lowered = false
  #layout: Layout = 'dock'
  readonly #changed: (layout: Layout) => void

  constructor(host: Host, changed: (layout: Layout) => void) {
    this.#host = host
    this.#changed = changed
    this.box.className = 'frame'
    this.box.tabIndex = -1
    this.box.hidden = true
    this.#scrim.className = 'scrim'
    this.#scrim.hidden = true
    this.#grab.className = 'grab'
    this.#grab.type = 'button'
    this.box.append(this.#grab)
    this.#drag()
    this.adopt(host)
  }

  /** Moves into a host's element. */
  adopt(host: Host): void {
    this.#host = host
    host.style(this.#light, this.#dark, this.#sheet)
    host.root.append(this.#scrim, this.box)
  }

  /** The name of the panel, and of its handle, for those who listen. */
  name(panel: string, handle: string): void {
    this.box.setAttribute('aria-label', panel)
    this.#grab.setAttribute('aria-label', handle)
  }

  /** Shows the box; `still` without a movement, as after a reload. */
  show(still: boolean): void {
    this.#open = true
    for (const part of [this.box, this.#scrim]) part.classList.toggle('still', still)
    this.#listening?.abort()
    const { signal } = (this.#listening = new AbortController())
    addEventListener('resize', () => this.lay(), { signal, passive: true })
    visualViewport?.addEventListener('resize', () => this.#keys(), { signal })
    this.#scrim.addEventListener('click', () => this.#host.close(), { signal })
    this.box.addEventListener('keydown', (event) => this.#trap(event), { signal })
    this.lay()
  }

  /** Takes the box away and gives the page its width back. */
  hide(): void {
    this.#open = false
    this.#listening?.abort()
    this.box.hidden = true
    this.#scrim.hidden = true
    this.#inset.clear()
  }

  /** Lays the box out anew. */
  lay(): void {
    if (!this.#open) return
    const layout = layoutFor(innerWidth, this.#host.element.getAttribute('layout') || this.#host.status.launcher.layout)
    this.#layout = layout
    this.box.hidden = false
    for (const name of ['dock', 'over', 'sheet', 'card']) this.box.classList.toggle(name, name === layout)
    this.box.classList.toggle('tall', this.#host.memory.read().tall)
    this.#scrim.hidden = layout === 'dock'
    this.#scrim.classList.toggle('half', layout === 'over')
    this.box.setAttribute('role', layout === 'dock' ? 'complementary' : 'dialog')
    if (layout === 'dock') this.box.removeAttribute('aria-modal')
    else this.box.setAttribute('aria-modal', 'true')
    if (layout === 'dock') this.#inset.set(this.box.offsetWidth, this.#host.element.getAttribute('dock-inset') === 'host')
    else this.#inset.clear()
    this.#changed(layout)
  }

  /** Gives what does not fit the sheet's full height, unless the member wants it low. */
  raise(): void {
    if (this.#layout === 'sheet' && !this.#lowered && !this.#host.memory.read().tall) this.#stop(true)
  }

  /** Lifts a sheet above the keyboard of a phone. */
  #keys(): void {
    const view = visualViewport
    const covered = view ? Math.max(0, innerHeight - view.height - view.offsetTop) : 0
    this.box.style.setProperty('--_keys', `${Math.round(covered)}px`)
  }

  /** Over the page, Tab stays inside: what lies behind can't be seen well. */
  #trap(event: KeyboardEvent): void {
    if (event.key !== 'Tab' || this.#layout === 'dock') return
    const stops = focusable(this.box)
    const first = stops[0]
    const last = stops.at(-1)
    const now = deepActive(this.box)
    if (event.shiftKey && (now === first || now === this.box)) {
      event.preventDefault()
      last?.focus()
    } else if (!event.shiftKey && now === last) {
      event.preventDefault()
      first?.focus()
    }
  }

  #drag(): void {
    let from = 0
    let height = 0
    let moved = false
    const grab = this.#grab
    grab.addEventListener('pointerdown', (event) => {
      grab.setPointerCapture(event.pointerId)
      from = event.clientY
      height = this.box.offsetHeight
      moved = false
      this.box.classList.add('held')
    })
    grab.addEventListener('pointermove', (event) => {
      if (!grab.hasPointerCapture(event.pointerId)) return
      const by = from - event.clientY
      if (Math.abs(by) > 4) moved = true
      if (moved) this.box.style.height = `${Math.min(height + by, innerHeight * 0.92)}px`
    })
    const end = (): void => {
      this.box.classList.remove('held')
      if (!moved) return
      const share = this.box.offsetHeight / innerHeight
      this.box.style.removeProperty('height')
      if (share < 0.36) return this.#host.close()
      this.#choose(share > 0.74)
    }
    grab.addEventListener('pointerup', end)
    grab.addEventListener('pointercancel', end)
    grab.addEventListener('click', () => {
      if (!moved) this.#choose(!this.#host.memory.read().tall)
    })
  }

  #choose(tall: boolean): void {
    this.#lowered = !tall
    this.#stop(tall)
  }

  #stop(tall: boolean): void {
    this.#host.memory.write({ tall })
    this.box.classList.toggle('tall', tall)
  }
}

/** The layout for a width of the window, in CSS pixels. */
export function layoutFor(width: number, wish: string): Layout {
  if (width < 720) return 'sheet'
  if (wish === 'card') return 'card'
  return wish !== 'slide-over' && width >= 1360 ? 'dock' : 'over'
}

/** The element that has the focus, looked for through shadow roots. */
export function deepActive(within: HTMLElement): Element | null {
  let active = (within.getRootNode() as Document | ShadowRoot).activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}

function focusable(box: HTMLElement): HTMLElement[] {
  const all = 'button:not([disabled]),a[href],input,textarea,[tabindex="0"]'
  const view = box.querySelector('.view')?.shadowRoot
  return [...box.querySelectorAll<HTMLElement>(all), ...(view?.querySelectorAll<HTMLElement>(all) ?? [])].filter((e) => e.checkVisibility())
}
