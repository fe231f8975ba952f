import { isLineCut, type Http } from './http.ts'
import { Problem } from './problem.ts'
import { eraseConversation, listConversations } from './routes.ts'
import type { ConversationSummary } from './wire.ts'

/** What a list of conversations shows. */
export interface ConversationsView {
  items: readonly ConversationSummary[]
  loading: boolean
  /** Whether there are more than those loaded. */
  more: boolean
  problem?: Problem | undefined
}

/** The member's conversations, the newest first. Asks only when told to. */
export class Conversations {
  readonly #http: Http
  readonly #listeners = new Set<() => void>()
  #cursor: string | undefined
  #view: ConversationsView = { items: [], loading: false, more: false }

  constructor(http: Http) {
    this.#http = http
  }

  /** What to show now. */
  get view(): ConversationsView {
    return this.#view
  }

  /** Calls back after each change until the returned function is called. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }

  /** Reads the list from its beginning. */
  async load(): Promise<void> {
    this.#cursor = undefined
    await this.#read([])
  }

  /** Reads on. */
  async loadMore(): Promise<void> {
    if (this.#view.more && !this.#view.loading) await this.#read(this.#view.items)
  }

  /** Erases a conversation for good. */
  async erase(id: string): Promise<void> {
    try {
      await eraseConversation(this.#http, id)
    } catch (error) {
      const problem = problemFrom(error)
      if (problem.code !== 'not_found') return this.#show({ problem })
    }
    this.#show({ items: this.#view.items.filter((c) => c.id !== id), problem: undefined })
  }

  async #read(before: readonly ConversationSummary[]): Promise<void> {
    this.#show({ loading: true, problem: undefined })
    try {
      const page = await listConversations(this.#http, this.#cursor)
      this.#cursor = page.nextCursor
      const have = new Set(before.map((c) => c.id))
      this.#show({ items: [...before, ...page.conversations.filter((c) => !have.has(c.id))], loading: false, more: Boolean(page.nextCursor) })
    } catch (error) {
      this.#show({ loading: false, problem: problemFrom(error) })
    }
  }

  #show(change: Partial<ConversationsView>): void {
    this.#view = { ...this.#view, ...change }
    for (const changed of this.#listeners) changed()
  }
}

function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem({ code: isLineCut(error) ? 'unreachable' : 'internal', status: 0 })
}
