import { Http, LineCut } from './http.ts'
import { readEvents, type Received } from './sse.ts'
import type { Contract, Conversation, ConversationSummary, SendBody, Status } from './wire.ts'

const stream = 'text/event-stream'

/** What a page may know before anyone has signed in. */
export function getStatus(http: Http, signal?: AbortSignal): Promise<Status> {
  return http.json('v1/status', { open: true, signal })
}

/** What this member may do here; a Problem with status 403 where the role is shut out. */
export function getContract(http: Http, signal?: AbortSignal): Promise<Contract> {
  return http.json('v1/contract', { signal })
}

/** A page of the member's conversations, the newest first. */
export function listConversations(
  http: Http,
  cursor?: string,
): Promise<{ conversations: ConversationSummary[]; nextCursor?: string }> {
  const query = new URLSearchParams({ limit: '50' })
  if (cursor) query.set('cursor', cursor)
  return http.json(`v1/conversations?${query.toString()}`)
}

/** The last messages of a conversation, or those before a sequence. */
export function getConversation(http: Http, id: string, before?: number, signal?: AbortSignal): Promise<Conversation> {
  const query = new URLSearchParams({ limit: '60' })
  if (before !== undefined) query.set('before', String(before))
  return http.json(`${conversation(id)}?${query.toString()}`, { signal })
}

/** Erases a conversation for good. */
export async function eraseConversation(http: Http, id: string): Promise<void> {
  await http.send(conversation(id), { method: 'DELETE' })
}

/** Sends a message and reads its turn. The same body again follows the turn that it began. */
export async function* sendMessage(http: Http, id: string, body: SendBody, signal: AbortSignal): AsyncGenerator<Received> {
  const response = await http.send(`${conversation(id)}/messages`, { method: 'POST', body, accept: stream, signal })
  yield* events(response, signal)
}

/** Follows a conversation from an event id on; ends when its turn ends, at once when it rests. */
export async function* followConversation(http: Http, id: string, head: string, signal: AbortSignal): AsyncGenerator<Received> {
  const headers: Record<string, string> = head === '' ? {} : { 'Last-Event-ID': head }
  const response = await http.send(`${conversation(id)}/events`, { accept: stream, headers, signal })
  yield* events(response, signal)
}

/** Stops the running turn; false where none ran. */
export async function cancelTurn(http: Http, id: string, turnId = ''): Promise<boolean> {
  const answer = await http.json<{ cancelled: boolean }>(`${conversation(id)}/cancel`, { method: 'POST', body: turnId ? { turnId } : {} })
  return answer.cancelled
}

function conversation(id: string): string {
  return `v1/conversations/${encodeURIComponent(id)}`
}

async function* events(response: Response, signal: AbortSignal): AsyncGenerator<Received> {
  const type = response.headers.get('Content-Type') ?? ''
  // Some proxies answer 200 with a page of their own.
  if (!type.startsWith(stream) || response.body === null) throw new LineCut(response.url, `answered ${type || 'nothing'} in place of events`)
  try {
    yield* readEvents(response.body)
  } catch (error) {
    signal.throwIfAborted()
    throw new LineCut(response.url, error)
  }
}
