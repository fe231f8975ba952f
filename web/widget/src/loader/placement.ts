/** What of a page moves or hides the launcher. */
export interface PlacementOptions {
  launcher: HTMLElement
  /** A selector of the host's bar at the bottom; empty for none. */
  bottomBar: string
  /** An attribute of <html> that is there while the host's drawer is open; empty for none. */
  drawer: string
}

/**
 * Keeps the launcher clear of the host's bar and drawer, and out of the way while someone scrolls down, until the signal
 * ends it.
 */
export function place({ launcher, bottomBar, drawer }: PlacementOptions, signal: AbortSignal): void {
  const root = document.documentElement
  let bar: Element | null = null
  /** A measuring that waits for the next frame: a busy page changes many times in one. */
  let due = 0
  let lastY = scrollY
  let scrolledDown = false
  let rest: ReturnType<typeof setTimeout> | undefined

  const update = (): void => {
    launcher.classList.toggle('away', scrolledDown || (drawer !== '' && (root.getAttribute(drawer) ?? 'false') !== 'false'))
  }
  const measure = (): void => {
    due = 0
    const found = find(bottomBar)
    if (found !== bar) {
      resize.disconnect()
      bar = found
      if (bar) resize.observe(bar)
    }
    const height = bar ? visibleHeight(bar) : 0
    // Set from script, not as an attribute of HTML: a content policy has nothing against it.
    launcher.style.bottom = height > 0 ? `calc(max(env(safe-area-inset-bottom,0px),${height}px) + 8px)` : ''
    update()
  }
  const scrolled = ({ target }: Event): void => {
    const y = target instanceof Element ? target.scrollTop : scrollY
    if (target instanceof Element && target.clientHeight < innerHeight / 2) return
    if (Math.abs(y - lastY) > 4) scrolledDown = y > lastY && y > 24
    lastY = y
    update()
    clearTimeout(rest)
    rest = setTimeout(() => {
      scrolledDown = false
      update()
    }, 600)
  }
  const resize = new ResizeObserver(measure)
  const mutation = new MutationObserver(() => (due ||= requestAnimationFrame(measure)))

  addEventListener('scroll', scrolled, { signal, capture: true })
  addEventListener('resize', measure, { signal })
  // The bar comes and goes with the host's pages; the drawer's attribute stands on the root.
  mutation.observe(root, { attributeFilter: ['class', drawer || 'class'] })
  if (bottomBar) mutation.observe(document.body, { childList: true, subtree: true })
  signal.addEventListener('abort', () => {
    resize.disconnect()
    mutation.disconnect()
    clearTimeout(rest)
  })
  measure()
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
  const { height, bottom, top } = bar.getBoundingClientRect()
  return height > 0 && bottom > innerHeight - 1 ? innerHeight - top : 0
}
