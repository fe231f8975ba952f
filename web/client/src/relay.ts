import type { Received } from './sse.ts'
import type { ConversationState } from './state.ts'

/** What of the Web Locks API is used. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void>
}

/** What of BroadcastChannel is used. */
export interface Channel {
  postMessage(message: unknown): void
  close(): void
  onmessage: ((event: { data: unknown }) => void) | null
}

/** How the tabs of one origin know of each other. Without it every tab reads for itself. */
export interface Tabs {
  locks: Locks
  channel: (name: string) => Channel
}

/** What a tab tells the others. */
type Told =
  | { kind: 'hello'; from: string }
  | { kind: 'speak'; from: string; state: ConversationState }
  | { kind: 'event'; from: string; received: Received }

/** What a relay asks of the conversation that it serves. */
export interface RelayTarget {
  /** Another tab reads now: its state is to be taken, and this tab's own reading to end. */
  listen(state: ConversationState): void
  /** An event that another tab read. */
  heard(received: Received): void
  /** The state to give a tab that joins; null while this tab does not read. */
  speaking(): ConversationState | null
}

/**
 * Lets one tab of an origin read a conversation for all. The reader holds a lock; who hears another tab read queues for
 * it, and gets it when that tab is closed or has finished.
 */
export class Relay {
  readonly #name: string
  readonly #self: string
  readonly #tabs: Tabs | undefined
  readonly #channel: Channel | undefined
  #speaker = ''

  /**
   * `name` is the conversation's, unique among the mounts of an origin; `self` this page's: a tab that was
   * duplicated has the same client id as its model, and must hear it all the same.
   */
  constructor(name: string, self: string, tabs: Tabs | undefined, target: RelayTarget) {
    this.#name = name
    this.#self = self
    this.#tabs = tabs
    if (tabs === undefined) return
    this.#channel = tabs.channel(name)
    this.#channel.onmessage = ({ data }) => {
      const told = data as Told
      if (told.from === self) return
      switch (told.kind) {
        case 'hello': {
          const state = target.speaking()
          if (state !== null) this.#tell({ kind: 'speak', from: self, state })
          return
        }
        case 'speak':
          this.#speaker = told.from
          target.listen(told.state)
          return
        case 'event':
          if (told.from === this.#speaker) target.heard(told.received)
          return
        default: {
          const unknown: never = told
          return unknown // a newer version in another tab
        }
      }
    }
  }

  /** Asks whether another tab reads. */
  hello(): void {
    this.#tell({ kind: 'hello', from: this.#self })
  }

  /** Says that this tab reads from here on. */
  speak(state: ConversationState): void {
    this.#speaker = this.#self
    this.#tell({ kind: 'speak', from: this.#self, state })
  }

  /** Passes on what this tab read. */
  tell(received: Received): void {
    this.#tell({ kind: 'event', from: this.#self, received })
  }

  /** Runs `read` while no other tab does; waits for its turn until the signal says otherwise. */
  async alone(signal: AbortSignal, read: () => Promise<void>): Promise<void> {
    if (this.#tabs === undefined) return read()
    await this.#tabs.locks.request(this.#name, { signal }, read)
  }

  /** Leaves the channel. */
  close(): void {
    this.#channel?.close()
  }

  #tell(told: Told): void {
    this.#channel?.postMessage(told)
  }
}
