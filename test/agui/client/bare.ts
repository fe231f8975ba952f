import { HttpAgent, type Message, type Tool } from '@ag-ui/client'

/** What the page can do for the assistant. */
export type PageTool = Tool & { run: (input: Record<string, unknown>) => unknown }

/** A front end of one's own: one conversation, and the tools of its page. */
export class Chat {
  readonly agent: HttpAgent
  readonly #tools: PageTool[]

  constructor(url: string, threadId: string, token: () => Promise<string>, tools: PageTool[]) {
    this.#tools = tools
    this.agent = new HttpAgent({
      url,
      threadId,
      fetch: async (address, init) => {
        const headers = new Headers(init.headers)
        headers.set('Authorization', `Bearer ${await token()}`)
        return fetch(address, { ...init, headers })
      },
    })
  }

  /** Asks, does in the page what the assistant asks for, and gives the answer. */
  async ask(text: string): Promise<string> {
    const said: Message = { id: crypto.randomUUID(), role: 'user', content: text }
    this.agent.addMessage(said)
    for (;;) {
      const pending = await this.#run(said)
      if (pending.length === 0) break
      for (const id of pending) this.agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId: id, ...this.#answer(id) })
    }
    const last = this.agent.messages.findLast((m) => m.role === 'assistant')
    return typeof last?.content === 'string' ? last.content : ''
  }

  /** Runs once, and gives the calls that wait for the page. */
  async #run(said: Message): Promise<string[]> {
    let pending: string[] = []
    let failed: string | undefined
    const tools = this.#tools.map(({ run: _, ...tool }) => tool)
    const once = () =>
      this.agent.runAgent({ tools }, {
        onRunFinishedEvent: (end) => {
          if (end.outcome === 'success') pending = end.pendingToolCallIds ?? []
        },
        onRunErrorEvent: ({ event }) => {
          failed = event.message // a sentence for the member
        },
      })
    try {
      await once()
    } catch (error) {
      const history = diverged(error)
      if (!history) throw error
      this.agent.setMessages([...history, said])
      await once()
    }
    if (failed !== undefined) throw new Error(failed)
    return pending
  }

  #answer(id: string): { content: string; error?: string } {
    const calls = this.agent.messages.flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []) : []))
    const call = calls.find((c) => c.id === id)
    const tool = this.#tools.find((t) => t.name === call?.function.name)
    if (!call || !tool) return { content: '', error: 'this page has no such tool' }
    return { content: JSON.stringify(tool.run(JSON.parse(call.function.arguments) as Record<string, unknown>)) }
  }
}

/** The history that the server sends where the copy is not its own; undefined: it is another error. */
function diverged(error: unknown): Message[] | undefined {
  const { status, payload } = error as { status?: number; payload?: unknown }
  if (status !== 409 || typeof payload !== 'string') return undefined
  const problem = JSON.parse(payload) as { code: string; messages?: Message[] }
  return problem.code === 'history_diverged' ? problem.messages : undefined
}
