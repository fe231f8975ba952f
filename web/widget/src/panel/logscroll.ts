/** How near the end, in pixels, still counts as there. */
const near = 24

/**
 * Where the log stands. At its end it follows what is written; away from it, it never moves by itself, and says that there
 * is something new below.
 */
export class LogScroll {
  /** Whether something came below what is in view. */
  newBelow = false
  readonly #changed: () => void
  #log: HTMLElement | undefined
  #inner: HTMLElement | undefined
  #observer: ResizeObserver | undefined
  #listening: AbortController | undefined
  #pinned = true
  #height = 0
  #top = 0
  #keep: number | undefined
  #restore = 0
  #told: ((fromEnd: number) => void) | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Begins a conversation, `fromEnd` pixels from its end. */
  begin(fromEnd: number): void {
    this.#restore = fromEnd
    this.#pinned = fromEnd < near
    this.newBelow = false
    this.#height = 0
    this.#top = 0
  }

  /** Watches a log; `told` hears how far from its end it stands. */
  attach(log: HTMLElement, inner: HTMLElement, told: (fromEnd: number) => void): void {
    this.#told = told
    if (log === this.#log) return
    this.detach()
    this.#log = log
    this.#inner = inner
    this.#listening = new AbortController()
    log.addEventListener('scroll', () => this.#scrolled(), { passive: true, signal: this.#listening.signal })
    this.#observer = new ResizeObserver(() => this.#grown())
    this.#observer.observe(inner)
    this.#observer.observe(log)
    this.#grown()
  }

  /** Stops watching. */
  detach(): void {
    this.#observer?.disconnect()
    this.#listening?.abort()
    this.#log = undefined
  }

  /** Goes to the end and follows again. */
  toEnd(): void {
    this.#pinned = true
    this.#restore = 0
    this.#jump()
    this.#seen()
  }

  /** Keeps what is in view where it is while messages are put above it. */
  keepPlace(): void {
    if (this.#log) this.#keep = this.#log.scrollHeight - this.#log.scrollTop
  }

  #grown(): void {
    const log = this.#log
    if (!log || !this.#inner) return
    const height = this.#inner.offsetHeight
    const grew = height > this.#height
    this.#height = height
    if (this.#keep !== undefined) {
      log.scrollTop = log.scrollHeight - this.#keep
      if (grew) this.#keep = undefined
    } else if (this.#pinned) {
      this.#jump()
    } else if (this.#restore >= near && log.scrollHeight > log.clientHeight) {
      log.scrollTop = log.scrollHeight - log.clientHeight - this.#restore
      if (log.scrollTop > 0) this.#restore = 0
    } else if (grew && !this.newBelow && this.#fromEnd() > near) {
      this.newBelow = true
      this.#changed()
    }
  }

  #scrolled(): void {
    if (!this.#log || this.#keep !== undefined || this.#log.classList.contains('empty')) return
    const fromEnd = this.#fromEnd()
    const top = this.#log.scrollTop
    // Only a person goes up. That the end is further away may only be that more was written since.
    if (fromEnd < near) this.#pinned = true
    else if (top < this.#top) this.#pinned = false
    this.#top = top
    this.#told?.(this.#pinned ? 0 : Math.round(fromEnd))
    if (this.#pinned) this.#seen()
  }

  #seen(): void {
    if (!this.newBelow) return
    this.newBelow = false
    this.#changed()
  }

  #fromEnd(): number {
    const log = this.#log
    return log ? log.scrollHeight - log.clientHeight - log.scrollTop : 0
  }

  #jump(): void {
    if (!this.#log) return
    // What there is to begin with is read from its top.
    this.#log.scrollTop = this.#log.classList.contains('empty') ? 0 : this.#log.scrollHeight
  }
}
