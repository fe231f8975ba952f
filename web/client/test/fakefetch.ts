import type { StewardEvent } from '../src/event.gen.ts'

/** One answer of a scripted server: a problem or JSON, events that end well or are cut, or a line that never comes. */
export type Answer =
  | { json: unknown; status?: number; headers?: Record<string, string>; hold?: Promise<void> }
  | { events: [id: string, event: StewardEvent][]; cut?: boolean; hold?: Promise<void> }
  | 'unreachable'

/** A request as it was seen. */
export interface Seen {
  method: string
  path: string
  token: string
  lastEventId: string
  body: Record<string, unknown>
}

/** A fetch that answers from a script: by method and path, in the order given; the last answer stays. */
export class FakeServer {
  readonly seen: Seen[] = []
  readonly #answers: Record<string, Answer[]>

  constructor(answers: Record<string, Answer[]>) {
    this.#answers = answers
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const method = init?.method ?? 'GET'
    const headers = new Headers(init?.headers)
    const path = url.pathname.replace(/^\/m/, '')
    this.seen.push({
      method, path, token: headers.get('Authorization') ?? '', lastEventId: headers.get('Last-Event-ID') ?? '',
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {},
    })
    const key = `${method} ${path.replace(/^\/v1\/conversations\/[^/]+/, '/v1/conversations/*')}`
    const list = this.#answers[key]
    if (!list?.length) throw new Error(`no answer for ${key}`)
    const answer = list.length > 1 ? list.shift() : list[0]
    if (answer === 'unreachable' || answer === undefined) throw new TypeError('fetch failed')
    if ('json' in answer) await answer.hold
    if ('json' in answer) return new Response(JSON.stringify(answer.json), { status: answer.status ?? 200, headers: { 'Content-Type': 'application/json', ...answer.headers } })
    const { events, cut, hold } = answer
    const signal = init?.signal
    const encoder = new TextEncoder()
    const chunks = events.map(([id, event]) => encoder.encode(`${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(event)}\n\n`))
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    aborted.catch(() => undefined)
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = chunks.shift()
          if (next !== undefined) return controller.enqueue(next)
          await Promise.race([hold, aborted])
          if (cut) throw new TypeError('cut')
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  /** The requests as "METHOD path". */
  get paths(): string[] {
    return this.seen.map((s) => `${s.method} ${s.path.replace(/conversations\/[^/]+/, 'conversations/*')}`)
  }
}
