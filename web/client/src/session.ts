import { isLineCut, type Http } from './http.ts'
import { backoffMs, maxTries, pause as pauseByClock, type Pause } from './pause.ts'
import { Problem } from './problem.ts'
import { reduce } from './reduce.ts'
import { Relay, type Tabs } from './relay.ts'
import { cancelTurn, followConversation, getConversation, getStatus, sendMessage } from './routes.ts'
import type { Received } from './sse.ts'
import { emptyState, refreshed, withOlder, type ConversationState, type ShownMessage } from './state.ts'
import { uuid } from './uuid.ts'
import type { PageContext, SendBody } from './wire.ts'

/** How the line to the server is: closed at rest, dropped while it is taken up again, lost once that was given up. */
export type Line = 'closed' | 'open' | 'dropped' | 'lost'

/** What a screen shows besides the conversation. */
export interface SessionView {
  state: ConversationState
  line: Line
  loading: boolean
  stopping: boolean
  /** Why the last thing asked was refused. */
  problem?: Problem
  /** The words that were refused, for the composer to take back. */
  unsent?: string
}

/** How often a turn may wait for a new token while it is read: who asks more often takes none. */
const maxWaits = 3

/** What a session needs. */
export interface SessionOptions {
  http: Http
  /** This tab's id: browser calls are addressed to it. */
  clientId: string
  tabs?: Tabs | undefined
  capabilities?: string[]
  now?: () => number
  pause?: Pause
  /** Makes ids of conversations and messages. */
  newId?: () => string
}

/** What goes with a message. */
export interface SendOptions {
  page?: PageContext | undefined
  engine?: 'guide' | undefined
  retryOf?: string | undefined
}

/**
 * One conversation on one screen: loads it, sends, follows what runs, stops, and takes up a line that was cut. At rest it
 * holds nothing open and asks for nothing.
 */
export class Session {
  readonly id: string
  readonly #options: SessionOptions
  readonly #now: () => number
  readonly #pause: Pause
  readonly #relay: Relay
  readonly #listeners = new Set<() => void>()
  #view: SessionView
  /** Ends the reading, or the wait to read, that now goes on. */
  #reading: AbortController | undefined
  /** Whether this tab is the one that reads. */
  #speaks = false
  #closed = false
  /** The message whose sending was cut before an answer came: to be sent again under the same id. */
  #pending: SendBody | undefined

  /** A new conversation where `id` is absent; it comes to be with its first message. */
  constructor(options: SessionOptions, id?: string) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#pause = options.pause ?? pauseByClock
    this.id = id ?? (options.newId ?? uuid)()
    this.#view = { state: emptyState(this.id), line: 'closed', loading: false, stopping: false }
    this.#relay = new Relay(`steward ${options.http.base} ${this.id}`, uuid(), options.tabs, {
      listen: (state) => this.#listen(state),
      heard: (received) => this.#take(received),
      speaking: () => (this.#speaks ? this.#view.state : null),
    })
  }

  /** What to show now. A new object after each change. */
  get view(): SessionView {
    return this.#view
  }

  /** Calls back after each change until the returned function is called. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Reads the stored conversation, and follows it if a turn runs. False where it does not exist (any more). */
  async load(): Promise<boolean> {
    this.#show({ loading: true, problem: undefined })
    const reading = this.#reading
    // What is sent, or heard of another tab, meanwhile is newer than what was stored when it was asked for.
    const overtaken = (): boolean => this.#reading !== undefined && this.#reading !== reading
    try {
      const conversation = await getConversation(this.#options.http, this.id)
      if (this.#closed) return true
      if (overtaken()) {
        this.#show({ state: withOlder(this.#view.state, conversation), loading: false })
        return true
      }
      this.#show({ state: refreshed(this.#view.state, conversation), loading: false, line: 'closed' })
    } catch (error) {
      if (this.#closed) return true
      if (overtaken()) {
        this.#show({ loading: false })
        return true
      }
      const problem = problemFrom(error)
      this.#show({ loading: false, problem })
      return problem.code !== 'not_found'
    }
    // What waits for a token goes on when it is followed with a good one, which a page that was just opened has.
    if (this.#view.state.phase !== 'resting') this.#joinReaders()
    return true
  }

  /** Reads messages further up. */
  async loadOlder(): Promise<void> {
    const { before } = this.#view.state
    if (before === undefined || this.#view.loading) return
    this.#show({ loading: true })
    try {
      const older = await getConversation(this.#options.http, this.id, before)
      this.#show({ state: withOlder(this.#view.state, older), loading: false })
    } catch (error) {
      this.#show({ loading: false, problem: problemFrom(error) })
    }
  }

  /** Sends a message and reads its turn; resolves when that has ended, or its line was given up. */
  async send(text: string, options: SendOptions = {}): Promise<void> {
    if (this.#view.state.phase === 'running') return
    const { retryOf } = options
    const body: SendBody = { id: (this.#options.newId ?? uuid)(), text, clientId: this.#options.clientId }
    if (this.#options.capabilities?.length) body.capabilities = this.#options.capabilities
    if (options.page) body.page = options.page
    if (options.engine) body.engine = options.engine
    if (retryOf !== undefined) body.retryOf = retryOf
    const message: ShownMessage = { id: body.id, seq: 0, role: 'user', turnId: '', createdAt: new Date(this.#now()).toISOString(), text, sending: true }
    if (retryOf !== undefined) message.retryOf = retryOf
    if (options.page) message.page = { route: options.page.route, ...(options.page.title === undefined ? {} : { title: options.page.title }) }
    const { state } = this.#view
    this.#show({
      state: { ...state, phase: 'running', turnId: '', messages: [...state.messages, message] },
      problem: undefined,
      unsent: undefined,
      stopping: false,
    })
    await this.#post(body)
  }

  /** Sends the words of a message again in a new turn, or takes up a line that was given up. */
  async retry(messageId: string, options: SendOptions = {}): Promise<void> {
    const said = this.#view.state.messages.find((m) => m.id === messageId)
    if (said === undefined) return
    if (this.#view.line === 'lost') return this.reconnect()
    await this.send(said.text, { ...options, retryOf: said.id })
  }

  /** Takes up a line that was given up: sends what may not have arrived under its old id, or follows. */
  async reconnect(): Promise<void> {
    if (this.#reading !== undefined || this.#view.state.phase !== 'running') return
    if (this.#pending !== undefined) return this.#post(this.#pending)
    await this.#read((signal) => this.#follow(signal))
  }

  /** Stops the running turn. What was said stays; the turn's own end says so. */
  async stop(): Promise<void> {
    if (this.#view.state.phase !== 'running' || this.#view.stopping) return
    this.#show({ stopping: true })
    try {
      const stopped = await cancelTurn(this.#options.http, this.id, this.#view.state.turnId)
      if (!stopped && this.#reading === undefined) await this.load()
    } catch (error) {
      this.#show({ stopping: false, problem: problemFrom(error) })
    }
  }

  /** Forgets the last refusal. */
  dismiss(): void {
    this.#show({ problem: undefined, unsent: undefined })
  }

  /** Stops reading; the turn goes on without this screen. */
  close(): void {
    this.#closed = true
    this.#reading?.abort(new DOMException('closed', 'AbortError'))
    this.#relay.close()
    this.#listeners.clear()
  }

  async #post(body: SendBody): Promise<void> {
    this.#pending = body
    await this.#read(async (signal) => {
      for (let tries = 0; ; tries++) {
        try {
          this.#relay.speak(this.#view.state)
          const heard = await this.#hear(sendMessage(this.#options.http, this.id, body, signal))
          if (heard === 'ended' || (heard === 'waits' && !(await this.#renewed()))) return
          return await this.#follow(signal, heard === 'waits' ? 1 : 0)
        } catch (error) {
          if (signal.aborted) throw error
          if (this.#pending === undefined && isLineCut(error)) return await this.#follow(signal)
          if (!isLineCut(error)) return this.#refused(body, problemFrom(error))
          if (tries >= 3) return await this.#unreached()
          this.#show({ line: 'dropped' })
          await this.#pause(backoffMs(tries), signal)
        }
      }
    })
  }

  /**
   * Follows until the turn ends; takes the line up again when it is cut, until that was in vain too often. A turn that
   * waits for a token goes on when it is followed with a new one; `waits` is how often it did so before.
   */
  async #follow(signal: AbortSignal, waits = 0): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      if (tries > 0) {
        this.#show({ line: 'dropped' })
        await this.#pause(backoffMs(tries - 1), signal)
      }
      const before = this.#view.state.head
      try {
        this.#relay.speak(this.#view.state)
        const heard = await this.#hear(followConversation(this.#options.http, this.id, this.#view.state.head, signal))
        if (heard === 'ended') return
        if (heard === 'waits') {
          waits++
          if (waits > maxWaits || !(await this.#renewed())) return
          tries = -1
          continue
        }
        // Closed without an end: cut, or at rest because the turn ended while nobody listened. The log knows.
        const conversation = await getConversation(this.#options.http, this.id, undefined, signal)
        if (conversation.state !== 'running') {
          this.#show({ state: refreshed(this.#view.state, conversation) })
          return
        }
      } catch (error) {
        if (signal.aborted) throw error
        if (!isLineCut(error)) return this.#show({ problem: problemFrom(error), state: { ...this.#view.state, phase: 'resting' } })
      }
      if (this.#view.state.head !== before) tries = 0
    }
    this.#show({ line: 'lost', problem: new Problem({ code: 'unreachable', status: 0 }) })
  }

  /**
   * Takes events in, and says whether the turn's end was among them, or that it waits for a token. The line is read to
   * its own end, which lets the browser use it again; should that not come, the next reading ends this one.
   */
  async #hear(events: AsyncGenerator<Received>): Promise<'ended' | 'waits' | 'cut'> {
    let asked = false
    let ended = false
    try {
      for await (const received of events) {
        this.#pending = undefined
        this.#relay.tell(received)
        this.#take(received)
        const { event } = received
        if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') ended = true
        if (event.type === 'CUSTOM' && event.name === 'steward.reauth') asked = true
      }
    } catch (error) {
      if (!ended) throw error
    }
    if (asked && this.#view.state.phase === 'waiting') return 'waits'
    if (asked) await this.#renew()
    return ended ? 'ended' : 'cut'
  }

  /** Asks for a new token; false where there is no other than the one in hand. */
  async #renew(): Promise<boolean> {
    const { tokens } = this.#options.http
    const stale = await tokens.get()
    const fresh = await tokens.renew(stale)
    return fresh !== null && fresh !== stale
  }

  /** Gets a new token for a turn that waits for one; without it the member has to sign in. */
  async #renewed(): Promise<boolean> {
    const { state } = this.#view
    if (!(await this.#renew())) {
      this.#show({ problem: new Problem({ code: 'unauthorized', status: 401 }) })
      return false
    }
    const turnId = state.messages.findLast((m) => m.turn?.state === 'waiting')?.turnId ?? ''
    this.#show({ state: { ...this.#view.state, phase: 'running', turnId } })
    return true
  }

  /** Reads alone among the tabs; whatever read before in this tab ends. */
  async #read(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#reading?.abort(new DOMException('another reading', 'AbortError'))
    const own = new AbortController()
    this.#reading = own
    try {
      await this.#relay.alone(own.signal, async () => {
        if (own.signal.aborted) return
        this.#speaks = true
        await read(own.signal)
      })
    } catch (error) {
      if (!own.signal.aborted) throw error
    } finally {
      if (this.#reading === own) {
        this.#reading = undefined
        this.#speaks = false
        if (this.#view.line !== 'lost') this.#show({ line: 'closed', stopping: false })
      }
    }
  }

  /** Follows when no other tab does, and meanwhile listens to the one that does. */
  #joinReaders(): void {
    this.#relay.hello()
    void this.#read(async (signal) => {
      if (this.#view.state.phase !== 'resting') await this.#follow(signal)
    })
  }

  #listen(state: ConversationState): void {
    if (this.#closed) return
    this.#pending = undefined
    this.#show({ state, line: 'open', problem: undefined })
    if (this.#speaks || this.#reading === undefined) {
      this.#speaks = false
      void this.#read(async (signal) => {
        if (this.#view.state.phase === 'running') await this.#follow(signal)
      })
    }
  }

  #take(received: Received): void {
    if (this.#closed) return
    const state = reduce(this.#view.state, received, this.#now())
    this.#show({ state, line: state.phase === 'running' ? 'open' : 'closed', ...(state.phase === 'running' ? {} : { stopping: false }) })
    // Another tab's turn has ended: there is nothing left to queue for.
    if (state.phase !== 'running' && !this.#speaks) this.#reading?.abort(new DOMException('ended elsewhere', 'AbortError'))
  }

  /** Nothing was stored: the words go back to the person. */
  #refused(body: SendBody, problem: Problem): void {
    this.#pending = undefined
    const { state } = this.#view
    const messages = state.messages.filter((m) => m.id !== body.id)
    this.#show({ state: { ...state, phase: 'resting', messages }, line: 'closed', problem, ...(body.retryOf === undefined ? { unsent: body.text } : {}) })
  }

  /** No answer came: the status says whether the server is there and only the assistant is off. */
  async #unreached(): Promise<void> {
    let problem = new Problem({ code: 'unreachable', status: 0 })
    try {
      const status = await getStatus(this.#options.http)
      if (!status.enabled) problem = new Problem({ code: 'agent_disabled', status: 503 })
      else if (status.answers === 'none') problem = new Problem({ code: 'not_configured', status: 503 })
    } catch {
      // Not even that: it stays unreachable.
    }
    this.#show({ line: 'lost', problem })
  }

  #show(change: { [K in keyof SessionView]?: SessionView[K] | undefined }): void {
    if (this.#closed) return
    this.#view = { ...this.#view, ...change } as SessionView
    for (const changed of this.#listeners) changed()
  }
}

function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: isLineCut(error) ? 'unreachable' : 'internal', status: 0 })
}
