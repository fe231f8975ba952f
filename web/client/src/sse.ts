import { kinds, type StewardEvent } from './event.gen.ts'
import { EventStream } from './eventstream.ts'

/** An event with its place in the conversation; the id is empty for one that concerns only this connection. */
export interface Received {
  id: string
  event: StewardEvent
}

const known: ReadonlySet<string> = /* @__PURE__ */ new Set(kinds)

/**
 * Reads events as they arrive. Kinds that this client does not know are passed over, as is data that is no event: a
 * newer server must not break an older page. Ends where the stream ends; whether that was the end is for the caller.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Received> {
  const stream = new EventStream()
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      for (const { id, data } of stream.feed(decoder.decode(value, { stream: true }))) {
        const event = parseEvent(data)
        if (event !== null) yield { id, event }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(data: string): StewardEvent | null {
  try {
    const parsed: unknown = JSON.parse(data)
    if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return null
    const kind = parsed.type === 'CUSTOM' && 'name' in parsed ? parsed.name : parsed.type
    return typeof kind === 'string' && known.has(kind) ? (parsed as StewardEvent) : null
  } catch {
    return null
  }
}
