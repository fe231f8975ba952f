import type { Usage } from './event.gen.ts'
import type { Call, Conversation, Message, Phase } from './wire.ts'

/** A call with the moment, in milliseconds of the reader's clock, from which its seconds are counted. */
export interface ShownCall extends Call {
  startedAt?: number
}

/** A message on a screen: also one that is still on its way (`sending`), and drafts. */
export interface ShownMessage extends Omit<Message, 'calls'> {
  calls?: ShownCall[]
  sending?: boolean
}

/** A conversation as one screen has it: what the log holds, and what of a running turn has been heard so far. */
export interface ConversationState {
  id: string
  title: string
  phase: Phase
  /** Settled messages by sequence, then those on their way. */
  messages: readonly ShownMessage[]
  /** The id of the last event heard. */
  head: string
  /** Ask for older messages with this; absent when there are none. */
  before?: number
  /** The turn that runs, if known. */
  turnId: string
  usage?: Usage
}

/** A conversation in which nothing was said. */
export function emptyState(id: string): ConversationState {
  return { id, title: '', phase: 'resting', messages: [], head: '', turnId: '' }
}

/** The state that a stored conversation begins with. */
export function stateOf(conversation: Conversation): ConversationState {
  const state: ConversationState = {
    id: conversation.id,
    title: conversation.title,
    phase: conversation.state,
    messages: conversation.messages,
    head: conversation.head,
    turnId: conversation.messages.findLast((m) => m.turn?.state === 'running')?.turnId ?? '',
  }
  if (conversation.before !== undefined) state.before = conversation.before
  return state
}

/** Puts older messages above those already there, and any that are newer below; what is there already stays as it is. */
export function withOlder(state: ConversationState, older: Conversation): ConversationState {
  const have = new Set(state.messages.map((m) => m.id))
  const { before: _, ...rest } = state
  const place = (m: ShownMessage): number => m.seq || Number.MAX_SAFE_INTEGER // last what is on its way
  const messages = [...older.messages.filter((m) => !have.has(m.id)), ...state.messages].sort((a, b) => place(a) - place(b))
  const next: ConversationState = { ...rest, title: state.title || older.title, messages }
  if (older.before !== undefined) next.before = older.before
  return next
}

/** The stored conversation in place of what was known of it; messages further up that were loaded before stay. */
export function refreshed(state: ConversationState, conversation: Conversation): ConversationState {
  const fresh = stateOf(conversation)
  const first = conversation.messages[0]?.seq ?? 0
  const older = conversation.before === undefined ? [] : state.messages.filter((m) => m.seq > 0 && m.seq < first)
  if (older.length === 0) return fresh
  const { before: _, ...rest } = fresh
  const next: ConversationState = { ...rest, messages: [...older, ...fresh.messages] }
  if (state.before !== undefined) next.before = state.before
  return next
}
