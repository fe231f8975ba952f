import { randomUUID } from 'node:crypto'
import { HttpAgent, type AgentSubscriber } from '@ag-ui/client'
import type { Context, Message, RunAgentInput, RunFinishedEvent, Tool } from '@ag-ui/client'
import { expect, type Stack } from './stack.ts'
import type { Person } from './token.ts'

/** An event as it came, read from the bytes. */
export type Wire = { type: string; [member: string]: unknown }

/** What one run came to. */
export type Ran = {
  events: Wire[]
  /** RUN_FINISHED as the client understood it. */
  finished: (RunFinishedEvent & { outcomeType?: string }) | undefined
  error: { message: string; code?: string } | undefined
  pending: string[]
}

/** A refused request: its status and its problem document. */
export type Rejected = { status: number; payload: Record<string, unknown> }

/** A tool that the page brings in most tests. */
export const highlight: Tool = {
  name: 'highlight',
  description: 'Marks a shelf on the page.',
  parameters: { type: 'object', properties: { shelf: { type: 'string' } }, required: ['shelf'] },
}

/** Somebody who has not written yet. */
export function somebody(roles = ['staff']): Person {
  return { sub: `member-${randomUUID()}`, org: 'shop', roles }
}

type Options = { threadId?: string; surface?: string; token?: string }

/**
 * A front end: the stock HttpAgent, whose answers are also kept as the bytes that came. The client's own checks run as they
 * do everywhere; what they do not look at is checked here after each run.
 */
export class Front {
  readonly agent: HttpAgent
  readonly threadId: string
  readonly token: string
  readonly #stack: Stack
  readonly #path: string
  #bytes = ''
  #cut = false

  constructor(stack: Stack, person: Person, options: Options = {}) {
    this.#stack = stack
    this.threadId = options.threadId ?? randomUUID()
    this.token = options.token ?? stack.host.token(person)
    this.#path = options.surface ? `/v1/agui?surface=${options.surface}` : '/v1/agui'
    this.agent = new HttpAgent({
      url: stack.url + this.#path,
      headers: { Authorization: `Bearer ${this.token}` },
      threadId: this.threadId,
      fetch: async (url, init) => this.#watch(await fetch(url, init)),
    })
  }

  /** Adds what the member says. */
  says(text: string, id: string = randomUUID()): void {
    this.agent.addMessage({ id, role: 'user', content: text })
  }

  /** Adds what the page answered to a call. */
  answers(toolCallId: string, content: string, error?: string): void {
    this.agent.addMessage({ id: randomUUID(), role: 'tool', toolCallId, content, ...(error ? { error } : {}) })
  }

  /** Runs, waits for the end, and checks what every stream must be. */
  async run(parameters: { runId?: string; tools?: Tool[]; context?: Context[]; forwardedProps?: unknown } = {}, more: AgentSubscriber = {}): Promise<Ran> {
    this.#bytes = ''
    this.#cut = false
    this.agent.url = this.#stack.url + this.#path // it may have been started anew
    const runId = parameters.runId ?? randomUUID()
    const ran: Ran = { events: [], finished: undefined, error: undefined, pending: [] }
    await this.agent.runAgent({ ...parameters, runId }, {
      ...more,
      onRunFinishedEvent: (params) => {
        ran.finished = params.event as RunFinishedEvent
        if (params.outcome === 'success') ran.pending = params.pendingToolCallIds ?? []
      },
      onRunErrorEvent: ({ event }) => {
        ran.error = event
      },
    })
    ran.events = this.#events(runId)
    return ran
  }

  /** As run, where the request is refused. */
  async refused(parameters: Parameters<Front['run']>[0] = {}): Promise<Rejected> {
    const failure = await this.run(parameters).then(
      () => undefined,
      (e: unknown) => e,
    )
    expect(failure, 'the run is refused').toBeInstanceOf(Error)
    const { status, payload } = failure as { status: number; payload: unknown }
    // The client parses what is application/json; a problem document is application/problem+json, and stays text.
    expect(typeof payload).toBe('string')
    return { status, payload: JSON.parse(payload as string) as Record<string, unknown> }
  }

  /** Closes the connection, as a tab that goes away. */
  leave(): void {
    this.#cut = true
    this.agent.abortRun()
  }

  /** The conversation as the server has it. */
  async load(): Promise<{ state: string; messages: { id: string; role: string; text: string; sentAs?: string }[] }> {
    const answer = await fetch(`${this.#stack.url}/v1/conversations/${this.threadId}`, { headers: { Authorization: `Bearer ${this.token}` } })
    expect(answer.status).toBe(200)
    return (await answer.json()) as Awaited<ReturnType<Front['load']>>
  }

  /** A request that the client would not send. */
  async post(input: Partial<RunAgentInput> | string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.agent.url, {
      method: 'POST',
      headers: { ...this.agent.headers, 'Content-Type': 'application/json', Accept: 'text/event-stream', ...headers },
      body: typeof input === 'string' ? input : JSON.stringify(input),
    })
  }

  /** Keeps an answer's bytes while the client reads them. */
  #watch(answer: Response): Response {
    if (!answer.ok || !answer.body) return answer
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const reader = answer.body.getReader()
    const read = async () => {
      const part = await reader.read()
      this.#bytes += decoder.decode(part.value, { stream: !part.done })
      return part
    }
    // When a line is cut the client rejects the run, and then lets the rejection of its own cancel() go unhandled.
    const cancel = () => reader.cancel().catch(() => undefined)
    return { ok: true, status: answer.status, headers: answer.headers, body: { getReader: () => ({ read, cancel }) } } as unknown as Response
  }

  /** The events of the bytes, held against the wire's rules. */
  #events(runId: string): Wire[] {
    expect(this.#bytes, 'lines end with LF').not.toContain('\r')
    const frames = this.#bytes.split('\n\n')
    const rest = frames.pop()
    if (!this.#cut) expect(rest, 'the last event ends with an empty line').toBe('')
    const events: Wire[] = []
    for (const frame of frames) {
      const data = frame.split('\n').filter((line) => line.startsWith('data:'))
      if (frame.startsWith(':')) continue
      expect(data, frame).toHaveLength(1)
      events.push(JSON.parse(data[0]!.slice(5)) as Wire)
    }
    // What CUSTOM and result hold is ours, and there null is a count that nobody knows.
    for (const e of events) expect(nulls({ ...e, value: 0, result: 0 }), JSON.stringify(e)).toEqual([])
    expect(events[0]).toEqual({ type: 'RUN_STARTED', threadId: this.threadId, runId })
    const ends = events.filter((e) => e.type === 'RUN_FINISHED' || e.type === 'RUN_ERROR')
    if (!this.#cut) {
      expect(ends, 'one terminal event').toHaveLength(1)
      expect(events.at(-1), 'and it is the last').toBe(ends[0])
    }
    if (ends[0]?.type === 'RUN_FINISHED') expect(ends[0]).toMatchObject({ threadId: this.threadId, runId })
    return events
  }
}

/** Where a value holds null. */
function nulls(v: unknown, at = ''): string[] {
  if (v === null) return [at]
  if (typeof v !== 'object') return []
  return Object.entries(v).flatMap(([key, sub]) => nulls(sub, `${at}.${key}`))
}

/** What messages say: role and words, calls by their tools' names. */
export function gist(messages: Message[]): string[] {
  return messages.map((m) => {
    if (m.role === 'assistant') return `assistant: ${[m.content, ...(m.toolCalls ?? []).map((c) => `${c.function.name}()`)].filter(Boolean).join(' ')}`
    return `${m.role}: ${typeof m.content === 'string' ? m.content : JSON.stringify(m.content)}`
  })
}
