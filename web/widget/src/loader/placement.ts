/** What of a page moves or hides the launcher. */
export interface PlacementOptions {
  launcher: HTMLElement
  /** A selector of the host's bar at the bottom; empty for none. */
  bottomBar: string
  /** An attribute of <html> that is there while the host's drawer is open; empty for none. */
  drawer: string
}

/** Keeps the launcher clear of the host's bar and drawer, and out of the way while someone scrolls down. */
export class Placement {
  readonly #options: PlacementOptions
  readonly #resize = new ResizeObserver(() => this.#measure())
  readonly #mutation = new MutationObserver(() => (this.#due ||= requestAnimationFrame(() => this.#measure())))
  readonly #ended = new AbortController()
  #bar: Element | null = null
  /** A measuring that waits for the next frame: a busy page changes many times in one. */
  #due = 0
  #lastY = scrollY
  #scrolledDown = false
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(options: PlacementOptions) {
    this.#options = options
    const { signal } = this.#ended
    addEventListener('scroll', (event) => this.#scrolled(event), { signal, capture: true })
    addEventListener('resize', () => this.#measure(), { signal })
    // The bar comes and goes with the host's pages; the drawer's attribute stands on the root.
    this.#mutation.observe(document.documentElement, { attributeFilter: ['class', options.drawer || 'class'] })
    if (options.bottomBar) this.#mutation.observe(document.body, { childList: true, subtree: true })
    this.#measure()
  }

  /** Takes every listener away. */
  end(): void {
    this.#ended.abort()
    this.#resize.disconnect()
    this.#mutation.disconnect()
    clearTimeout(this.#rest)
  }

  #measure(): void {
    this.#due = 0
    const { launcher, bottomBar } = this.#options
    const bar = find(bottomBar)
    if (bar !== this.#bar) {
      this.#resize.disconnect()
      this.#bar = bar
      if (bar) this.#resize.observe(bar)
    }
    const height = bar ? visibleHeight(bar) : 0
    // Set from script, not as an attribute of HTML: a content policy has nothing against it.
    launcher.style.bottom = height > 0 ? `calc(max(env(safe-area-inset-bottom,0px),${height}px) + 8px)` : ''
    this.#update()
  }

  #scrolled(event: Event): void {
    const { target } = event
    const y = target instanceof Element ? target.scrollTop : scrollY
    if (target instanceof Element && target.clientHeight < innerHeight / 2) return
    if (Math.abs(y - this.#lastY) > 4) this.#scrolledDown = y > this.#lastY && y > 24
    this.#lastY = y
    this.#update()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => {
      this.#scrolledDown = false
      this.#update()
    }, 600)
  }

  #update(): void {
    const { drawer, launcher } = this.#options
    const drawerOpen = drawer && (document.documentElement.getAttribute(drawer) ?? 'false') !== 'false'
    launcher.classList.toggle('away', Boolean(drawerOpen) || this.#scrolledDown)
  }
}

function find(selector: string): Element | null {
  try {
    return selector ? document.querySelector(selector) : null
  } catch {
    return null // no selector at all: as if there were no bar
  }
}

/** How much of the window's lower end the bar takes. */
function visibleHeight(bar: Element): number {
  const box = bar.getBoundingClientRect()
  return box.height > 0 && box.bottom > innerHeight - 1 ? innerHeight - box.top : 0
}
