import type { Complete, RunError, StewardEvent } from './event.gen.ts'
import { isCode } from './problem.ts'
import type { Received } from './sse.ts'
import type { ConversationState, ShownCall, ShownMessage } from './state.ts'
import type { Answers, GuideReason, Message, Turn } from './wire.ts'

/**
 * The state after an event. Pure: an event that tells again what is known changes nothing, so that any cut and resume
 * ends on the same screen. `at` is the reader's clock in milliseconds, kept for the seconds of a running call.
 */
export function reduce(state: ConversationState, { id, event }: Received, at = 0): ConversationState {
  const next = apply(state, event, at)
  return id === '' || next.head === id ? next : { ...next, head: id }
}

function apply(state: ConversationState, event: StewardEvent, at: number): ConversationState {
  switch (event.type) {
    case 'RUN_STARTED':
      return { ...state, phase: 'running', turnId: event.runId }
    case 'TEXT_MESSAGE_START':
      // Beginning again is how the server sends a draft anew to one who was cut off.
      return draft(state, event.messageId, (m) => ({ ...m, text: '', state: 'draft' }))
    case 'TEXT_MESSAGE_CONTENT':
      return draft(state, event.messageId, (m) => ({ ...m, text: m.text + event.delta }))
    case 'TEXT_MESSAGE_END':
      return draft(state, event.messageId, (m) => ({ ...m, state: 'whole' }))
    case 'TOOL_CALL_START':
      return startCall(state, event.toolCallId, event.toolCallName, event.parentMessageId)
    case 'TOOL_CALL_ARGS':
      return call(state, event.toolCallId, (c) => (c.state === 'pending' ? { ...c, args: (c.args ?? '') + event.delta } : c))
    case 'TOOL_CALL_RESULT':
      return call(state, event.toolCallId, (c) => ({ ...c, content: event.content }))
    case 'TOOL_CALL_END':
    case 'REASONING_START':
    case 'REASONING_MESSAGE_CONTENT':
    case 'REASONING_END':
      return state
    case 'RUN_FINISHED':
      return settle(state, event.result)
    case 'RUN_ERROR':
      return settle(state, event.result, event)
    case 'CUSTOM':
      return applyCustom(state, event, at)
    default:
      return never(event, state)
  }
}

type Custom = Extract<StewardEvent, { type: 'CUSTOM' }>

function applyCustom(state: ConversationState, event: Custom, at: number): ConversationState {
  switch (event.name) {
    case 'steward.meta': {
      const { turnId, messageId, answers, guideReason, provider, model } = event.value
      const turn: Turn = { id: turnId, state: 'running', answers: answers as Answers }
      if (guideReason) turn.guideReason = guideReason as GuideReason
      if (provider) turn.provider = provider
      if (model) turn.model = model
      const next: ConversationState = { ...state, phase: 'running', turnId }
      return edit(next, messageId, ({ sending: _, ...m }) => (m.turn?.state === 'ended' ? m : { ...m, turnId, turn }))
    }
    case 'steward.message':
      return upsert(state, event.value.message)
    case 'steward.tool_started':
      return call(state, event.value.toolCallId, (c) =>
        c.state === 'pending' ? { ...c, state: 'running', label: event.value.label, startedAt: at } : c,
      )
    case 'steward.tool_result': {
      const { toolCallId, ok, code, sentence, durationMs, table } = event.value
      return call(state, toolCallId, ({ startedAt: _, ...c }) => {
        const done: ShownCall = { ...c, state: ok ? 'succeeded' : 'failed', durationMs }
        if (code) done.code = code
        if (sentence) done.sentence = sentence
        if (table) done.table = table
        return done
      })
    }
    case 'steward.call_state':
      return event.value.state === 'discarded' ? dropCall(state, event.value.toolCallId) : state
    case 'steward.correction': {
      const { messageId, mode, text } = event.value
      return edit(state, messageId, (m) => ({ ...m, text: mode === 'append' ? m.text + text : text }))
    }
    case 'steward.title':
      return { ...state, title: event.value.title }
    case 'steward.usage':
      return { ...state, usage: event.value }
    case 'steward.reset': {
      const dead = event.value.messageId
      return { ...state, messages: state.messages.filter((m) => !(isDraft(m) && (dead === '' || m.id === dead))) }
    }
    case 'steward.card':
    case 'steward.pick':
    case 'steward.ui':
    case 'steward.citation':
    case 'steward.follow_ups':
    case 'steward.caught_up':
    case 'steward.reauth':
      return state
    default:
      return never(event, state)
  }
}

/** The compiler proves that every kind has a case; what a newer server sends was passed over before. */
function never(_: never, state: ConversationState): ConversationState {
  return state
}

/** A message that no commit has confirmed: it has no place in the log and no call of a stored reply. */
function isDraft(m: ShownMessage): boolean {
  return m.role === 'assistant' && m.seq === 0 && !m.calls?.length
}

function edit(state: ConversationState, id: string, change: (m: ShownMessage) => ShownMessage): ConversationState {
  let changed = false
  const messages = state.messages.map((m) => {
    if (m.id !== id) return m
    changed = true
    return change(m)
  })
  return changed ? { ...state, messages } : state
}

/** Changes the live message of that id, made where there is none. A settled one is the truth and stays. */
function draft(state: ConversationState, id: string, change: (m: ShownMessage) => ShownMessage): ConversationState {
  if (state.messages.some((m) => m.id === id)) return edit(state, id, (m) => (m.seq === 0 ? change(m) : m))
  return { ...state, messages: [...state.messages, change(live(state, id))] }
}

function live(state: ConversationState, id: string): ShownMessage {
  return { id, seq: 0, role: 'assistant', turnId: state.turnId, createdAt: '', text: '', state: 'draft' }
}

function startCall(state: ConversationState, id: string, name: string, parent?: string): ConversationState {
  if (state.messages.some((m) => m.calls?.some((c) => c.id === id))) {
    return call(state, id, (c) => (c.state === 'pending' ? { ...c, args: '' } : c))
  }
  const owner = parent || state.messages.findLast((m) => m.role === 'assistant' && m.turnId === state.turnId)?.id || `calls-${state.turnId}`
  const fresh: ShownCall = { id, name, label: name, state: 'pending', durationMs: 0, args: '' }
  const base = state.messages.some((m) => m.id === owner) ? state : { ...state, messages: [...state.messages, live(state, owner)] }
  return edit(base, owner, (m) => ({ ...m, state: m.state === 'draft' ? 'whole' : m.state, calls: [...(m.calls ?? []), fresh] }))
}

function call(state: ConversationState, id: string, change: (c: ShownCall) => ShownCall): ConversationState {
  const owner = state.messages.find((m) => m.calls?.some((c) => c.id === id))
  if (!owner) return state
  return edit(state, owner.id, (m) => ({ ...m, calls: (m.calls ?? []).map((c) => (c.id === id ? change(c) : c)) }))
}

function dropCall(state: ConversationState, id: string): ConversationState {
  const owner = state.messages.find((m) => m.calls?.some((c) => c.id === id))
  if (!owner) return state
  return edit(state, owner.id, (m) => ({ ...m, calls: (m.calls ?? []).filter((c) => c.id !== id) }))
}

/** Puts a message of the log in its place, over what was drawn of it. */
function upsert(state: ConversationState, message: Message): ConversationState {
  const messages = [...state.messages]
  const at = messages.findIndex((m) => m.id === message.id)
  if (at >= 0) {
    messages[at] = message
  } else {
    // Before what comes later in the log, and before drafts; what the member just sent comes before its own replies.
    const later = messages.findIndex((m) => m.seq > message.seq || (m.seq === 0 && m.state === 'draft'))
    messages.splice(later < 0 ? messages.length : later, 0, message)
  }
  if (message.role !== 'user' || !message.turn) return { ...state, messages }
  if (message.turn.state !== 'running') return message.turnId === state.turnId ? { ...state, messages, phase: 'resting' } : { ...state, messages }
  return { ...state, messages, phase: 'running', turnId: message.turnId }
}

/** The terminal payload is the truth: it replaces everything that was drawn of the turn. */
function settle(state: ConversationState, result: Complete, error?: RunError): ConversationState {
  const told = result.messages ?? []
  const ids = new Set(told.map((m) => m.id))
  const kept = state.messages.filter((m) => ids.has(m.id) || m.role === 'user' || (m.turnId !== result.turnId && m.seq > 0))
  let next: ConversationState = { ...state, messages: kept }
  for (const message of told) next = upsert(next, message)
  next = edit(next, result.messageId, ({ sending: _, ...m }) => ({ ...m, turnId: result.turnId, turn: ended(m.turn, result, error) }))
  return { ...next, phase: waits(result) ? 'waiting' : 'resting', turnId: '', usage: result.usage }
}

/** A turn that waits has no outcome yet. */
function waits(result: Complete): boolean {
  return (result.outcome as string) === ''
}

function ended(before: Turn | undefined, result: Complete, error?: RunError): Turn {
  const turn: Turn = { ...before, id: result.turnId, state: 'ended', usage: result.usage, answers: result.answers as Answers }
  if (waits(result)) turn.state = 'waiting'
  else turn.outcome = result.outcome
  if (result.traceId) turn.traceId = result.traceId
  if (result.provider) turn.provider = result.provider
  if (result.model) turn.model = result.model
  if (result.code) turn.code = result.code
  if (error) {
    turn.code = isCode(error.code) ? error.code : 'internal'
    turn.message = error.message
    turn.action = error.action
    if (error.traceId) turn.traceId = error.traceId
  }
  return turn
}
