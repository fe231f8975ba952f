/** How near the end, in pixels, still counts as there. */
const near = 24

/** As much of an answer's end, in pixels, is what stands under every answer: nobody need be told of it. */
const tail = 140

/** How far a first line stands below the upper edge, in pixels. */
const margin = 8

/** The share of the log's height that a question may take above its answer; a longer one is scrolled away. */
const questionShare = 0.3

/** What a log tells those who show it. */
export interface LogListener {
  /** Where the log stands, for [LogScroll.begin]. */
  told: (scroll: number) => void
  /** The newest answer is higher than the log. */
  overflows: () => void
}

/**
 * Where the log stands. It follows what is written until the first line of the newest answer has come to the top, or, once
 * a person went to the end, follows the end. Where a person has put it, it never moves by itself, and says that there is
 * something new below.
 */
export class LogScroll {
  /** Whether something came below what is in view. */
  newBelow = false
  readonly #changed: () => void
  #log: HTMLElement | undefined
  #inner: HTMLElement | undefined
  #observer: ResizeObserver | undefined
  #listening: AbortController | undefined
  #follows: 'answer' | 'end' | 'nothing' = 'answer'
  #height = 0
  #top = 0
  #keep: number | undefined
  #restore = 0
  /** What was there when the conversation was opened is not new. */
  #opened = false
  #listener: LogListener | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** Begins a conversation where it was told to stand: 0 at the newest answer, else so many pixels from its end. */
  begin(scroll: number): void {
    this.#restore = scroll
    this.#follows = scroll === 0 ? 'answer' : scroll < near ? 'end' : 'nothing'
    this.newBelow = false
    this.#opened = false
    this.#height = 0
    this.#top = 0
  }

  /** Watches a log. */
  attach(log: HTMLElement, inner: HTMLElement, listener: LogListener): void {
    this.#listener = listener
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

  /** Goes to the end and follows it. */
  toEnd(): void {
    this.#go('end')
  }

  /** Goes to the newest answer, and stays where it begins. */
  toAnswer(): void {
    this.#opened = true
    this.#go('answer')
  }

  /** Keeps what is in view where it is while messages are put above it. */
  keepPlace(): void {
    if (this.#log) this.#keep = this.#log.scrollHeight - this.#log.scrollTop
  }

  #go(follows: 'answer' | 'end'): void {
    this.#follows = follows
    this.#restore = 0
    this.#jump()
    this.#seen()
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
      return
    }
    if (this.#follows !== 'nothing') {
      this.#jump()
    } else if (this.#restore >= near && log.scrollHeight > log.clientHeight) {
      log.scrollTop = log.scrollHeight - log.clientHeight - this.#restore
      if (log.scrollTop > 0) this.#restore = 0
      return
    }
    const fromEnd = this.#fromEnd()
    if (fromEnd <= near) this.#seen()
    else if (grew && (this.#follows !== 'answer' || fromEnd > tail) && !this.newBelow && (this.#opened || this.#follows === 'nothing')) {
      this.newBelow = true
      this.#changed()
    }
  }

  #scrolled(): void {
    if (!this.#log || this.#keep !== undefined || this.#log.classList.contains('empty')) return
    const fromEnd = this.#fromEnd()
    const top = this.#log.scrollTop
    const by = top - this.#top
    // What was folded up moves the end to where a follower stands; a person moves away from it, or past the first line.
    if (this.#follows === 'answer') {
      if (by > 1) this.#follows = fromEnd < near ? 'end' : 'nothing'
      else if (by < -1 && fromEnd >= near) this.#follows = 'nothing'
    } else if (fromEnd < near) this.#follows = 'end'
    else if (by < 0) this.#follows = 'nothing' // only a person goes up: a further end may only be what was written since
    this.#top = top
    this.#listener?.told(this.#follows === 'answer' ? 0 : this.#follows === 'end' ? 1 : Math.round(fromEnd))
    if (fromEnd < near) this.#seen()
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
    const log = this.#log
    if (!log) return
    const end = log.scrollHeight - log.clientHeight
    // What there is to begin with is read from its top.
    if (log.classList.contains('empty')) log.scrollTop = 0
    else log.scrollTop = this.#follows === 'answer' ? Math.min(end, this.#firstLine() ?? end) : end
    this.#top = log.scrollTop
  }

  /** Where the log stands when the newest answer's first line, or its short question, is at the top. */
  #firstLine(): number | undefined {
    const log = this.#log
    // What stands under the last turn, as a refusal, is newer than its answer.
    const turn = this.#inner?.lastElementChild
    const answer = turn?.classList.contains('turn') ? turn.querySelector('.said + *') : null
    if (!log || !turn || !answer) return undefined
    const zero = log.getBoundingClientRect().top - log.scrollTop
    const question = turn.getBoundingClientRect()
    const first = answer.getBoundingClientRect().top
    if (question.bottom - first > log.clientHeight - margin) this.#listener?.overflows()
    const from = first - question.top < log.clientHeight * questionShare ? question.top : first
    return Math.max(0, from - zero - margin)
  }
}
