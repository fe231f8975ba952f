import { describe, expect, test } from 'vitest'
import type { Complete, StewardEvent, Usage } from '../src/event.gen.ts'
import { kinds } from '../src/event.gen.ts'
import { reduce } from '../src/reduce.ts'
import type { Received } from '../src/sse.ts'
import { emptyState, type ConversationState } from '../src/state.ts'
import { turnsOf } from '../src/turns.ts'
import type { Message } from '../src/wire.ts'
import { random } from './random.ts'

const usage: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, rounds: 2 }

function said(id = 'u1', text = 'who?', turnId = 't1'): Message {
  return { id, seq: 1, role: 'user', turnId, createdAt: '2026-01-01T00:00:00Z', text }
}

/** A turn of two rounds, as the server tells it, and what it has stored after each event. */
function script(): { events: Received[]; stored: Message[][]; drafts: (Message | null)[] } {
  const events: Received[] = []
  const stored: Message[][] = []
  const drafts: (Message | null)[] = []
  let seq = 1
  let n = 0
  let log: Message[] = [{ ...said(), turn: { id: 't1', state: 'running', answers: 'model' } }]
  let draft: Message | null = null
  const tell = (event: StewardEvent): void => {
    events.push({ id: `${seq}.${++n}`, event })
    stored.push(structuredClone(log))
    drafts.push(structuredClone(draft))
  }
  const settle = (): void => {
    if (draft) log = [...log, { ...draft, seq: ++seq, state: 'whole' }]
    draft = null
    n = 0
  }
  const text = (id: string, parts: string[]): void => {
    draft = { id, seq: 0, role: 'assistant', turnId: 't1', createdAt: '', text: '', state: 'draft' }
    tell({ type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' })
    for (const delta of parts) {
      draft.text += delta
      tell({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })
    }
    const end: StewardEvent = { type: 'TEXT_MESSAGE_END', messageId: id }
    settle()
    tell(end)
  }
  tell({ type: 'RUN_STARTED', threadId: 'c', runId: 't1' })
  tell({ type: 'CUSTOM', name: 'steward.meta', value: { turnId: 't1', conversationId: 'c', messageId: 'u1', answers: 'model', rail: 'operator', persona: 'P' } })
  tell({ type: 'CUSTOM', name: 'steward.title', value: { title: 'who?' } })
  text('a1', ['I look ', 'first.'])
  const call = (change: object): void => {
    log = log.map((m) => (m.id === 'a1' ? { ...m, calls: [{ id: 'k1', name: 'x.list', label: 'x.list', state: 'pending' as const, durationMs: 0, ...m.calls?.[0], ...change }] } : m))
  }
  call({ args: '' })
  tell({ type: 'TOOL_CALL_START', toolCallId: 'k1', toolCallName: 'x.list', parentMessageId: 'a1' })
  call({ args: '{"a":1}' })
  tell({ type: 'TOOL_CALL_ARGS', toolCallId: 'k1', delta: '{"a":1}' })
  tell({ type: 'TOOL_CALL_END', toolCallId: 'k1' })
  call({ state: 'running', label: 'Reading' })
  tell({ type: 'CUSTOM', name: 'steward.tool_started', value: { toolCallId: 'k1', label: 'Reading' } })
  call({ state: 'succeeded', durationMs: 7, content: '{}' })
  tell({ type: 'TOOL_CALL_RESULT', messageId: 'a1', toolCallId: 'k1', content: '{}' })
  tell({ type: 'CUSTOM', name: 'steward.tool_result', value: { toolCallId: 'k1', ok: true, durationMs: 7, undoOffered: false } })
  text('a2', ['Nobody', ' is ', 'booked.'])
  tell({ type: 'CUSTOM', name: 'steward.usage', value: usage })
  log = log.map((m) => (m.id === 'u1' ? { ...m, turn: { id: 't1', state: 'ended', outcome: 'completed', usage, answers: 'model', traceId: 'tr' } } : m))
  const result: Complete = { turnId: 't1', messageId: 'u1', text: '…', messages: log, usage, answers: 'model', outcome: 'completed', traceId: 'tr' }
  tell({ type: 'RUN_FINISHED', threadId: 'c', runId: 't1', outcome: { type: 'success' }, result })
  return { events, stored, drafts }
}

function begin(): ConversationState {
  return { ...emptyState('c'), phase: 'running', messages: [{ ...said(), seq: 0, turnId: '', sending: true }] }
}

/** What the server tells one who was cut off after event i: the settled, the draft as a whole, then what comes live. */
function resume(i: number, s: ReturnType<typeof script>, upTo: number): Received[] {
  const seen = Number(s.events[i]?.id.split('.')[0])
  const caughtUp: Received[] = (s.stored[upTo] ?? [])
    .filter((m) => m.seq > seen)
    .map((message) => ({ id: '', event: { type: 'CUSTOM', name: 'steward.message', value: { message } } }))
  const draft = s.drafts[upTo]
  if (draft) {
    caughtUp.push({ id: '', event: { type: 'TEXT_MESSAGE_START', messageId: draft.id, role: 'assistant' } })
    caughtUp.push({ id: s.events[upTo]?.id ?? '', event: { type: 'TEXT_MESSAGE_CONTENT', messageId: draft.id, delta: draft.text } })
  }
  caughtUp.push({ id: '', event: { type: 'CUSTOM', name: 'steward.caught_up', value: {} } })
  return [...caughtUp, ...s.events.slice(upTo + 1)]
}

/** A screen without its place in the stream. Until a title is heard the first line of the first message stands for it. */
const screen = (state: ConversationState): ConversationState => ({ ...state, head: '', title: '' })

const run = (from: ConversationState, events: Received[]): ConversationState => events.reduce((state, received) => reduce(state, received), from)

describe('any cut and resume ends on the same screen', () => {
  const s = script()
  const want = run(begin(), s.events)

  test('the whole', () => {
    expect(want.phase).toBe('resting')
    expect(want.messages.map((m) => [m.id, m.text, m.state ?? ''])).toEqual([
      ['u1', 'who?', ''],
      ['a1', 'I look first.', 'whole'],
      ['a2', 'Nobody is booked.', 'whole'],
    ])
    expect(want.messages[1]?.calls).toHaveLength(1)
    expect(want.messages[0]?.turn?.outcome).toBe('completed')
  })

  test('cut once, at every place, with every delay', () => {
    for (let cut = 0; cut < s.events.length - 1; cut++) {
      for (let upTo = cut; upTo < s.events.length - 1; upTo++) {
        const state = run(run(begin(), s.events.slice(0, cut + 1)), resume(cut, s, upTo))
        expect(screen(state), `cut ${cut}, resumed at ${upTo}`).toEqual(screen(want))
      }
    }
  })

  test('cut many times, by chance', () => {
    const next = random(11)
    for (let round = 0; round < 300; round++) {
      let state = begin()
      let at = 0
      while (at < s.events.length - 1) {
        const cut = Math.min(s.events.length - 2, at + Math.floor(next() * 6))
        state = run(state, at === 0 ? s.events.slice(0, cut + 1) : s.events.slice(at + 1, cut + 1))
        const upTo = Math.min(s.events.length - 2, cut + Math.floor(next() * 4))
        const caught = resume(cut, s, upTo)
        state = run(state, caught.slice(0, caught.length - (s.events.length - 1 - upTo)))
        at = upTo
        if (next() < 0.3 || at >= s.events.length - 2) break
      }
      state = run(state, s.events.slice(at + 1))
      expect(screen(state)).toEqual(screen(want))
    }
  })

  test('told twice, every event, it is shown once', () => {
    const twice = s.events.flatMap((e) => (e.event.type === 'TEXT_MESSAGE_CONTENT' ? [e] : [e, e]))
    // A draft's text is never told twice without its start: an id is told again only from there.
    expect(screen(run(begin(), twice))).toEqual(screen(want))
  })
})

test('a dead draft is set aside, and what was stored stays', () => {
  let state = begin()
  state = reduce(state, { id: '1.1', event: { type: 'RUN_STARTED', threadId: 'c', runId: 't1' } })
  state = reduce(state, { id: '1.2', event: { type: 'TEXT_MESSAGE_START', messageId: 'a1', role: 'assistant' } })
  state = reduce(state, { id: '1.3', event: { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a1', delta: 'gone' } })
  expect(reduce(state, { id: '', event: { type: 'CUSTOM', name: 'steward.reset', value: { messageId: 'other' } } }).messages).toHaveLength(2)
  for (const messageId of ['', 'a1']) {
    const after = reduce(state, { id: '', event: { type: 'CUSTOM', name: 'steward.reset', value: { messageId } } })
    expect(after.messages.map((m) => m.id)).toEqual(['u1'])
  }
})

test('a fault stands on the message, with what can be done', () => {
  const state = reduce(begin(), {
    id: '2.1',
    event: {
      type: 'RUN_ERROR', message: 'Kept.', code: 'provider_unreachable', traceId: 'tr', action: 'retry',
      result: { turnId: 't1', messageId: 'u1', text: '', messages: [], usage, answers: 'model', outcome: 'provider_error', traceId: 'tr' },
    },
  })
  expect(state.phase).toBe('resting')
  expect(state.messages[0]).toMatchObject({ turnId: 't1', turn: { state: 'ended', code: 'provider_unreachable', message: 'Kept.', action: 'retry', traceId: 'tr' } })
  expect(state.messages[0]).not.toHaveProperty('sending')
})

test('a turn that waits has no outcome and is not at rest', () => {
  const result = { turnId: 't1', messageId: 'u1', text: '', messages: [], usage, answers: 'model', outcome: '' as never, traceId: '' }
  const state = reduce(begin(), { id: '2.1', event: { type: 'RUN_FINISHED', threadId: 'c', runId: 't1', result } })
  expect(state.phase).toBe('waiting')
  expect(state.messages[0]?.turn?.state).toBe('waiting')
})

test('a discarded call is not shown', () => {
  let state = reduce(begin(), { id: '1.1', event: { type: 'RUN_STARTED', threadId: 'c', runId: 't1' } })
  state = reduce(state, { id: '1.2', event: { type: 'TOOL_CALL_START', toolCallId: 'k', toolCallName: 'x' } })
  expect(state.messages.at(-1)?.calls).toHaveLength(1)
  state = reduce(state, { id: '1.3', event: { type: 'CUSTOM', name: 'steward.call_state', value: { toolCallId: 'k', state: 'discarded' } } })
  expect(state.messages.at(-1)?.calls).toHaveLength(0)
})

test('a retry stands in place of what it repeats, with its own replies', () => {
  const reply = (id: string, turnId: string, seq: number): Message => ({ id, seq, role: 'assistant', turnId, createdAt: '', text: id, state: 'whole' })
  const messages: Message[] = [
    { ...said('u1', 'first', 't1'), seq: 1 }, reply('a1', 't1', 2),
    { ...said('u2', 'again', 't2'), seq: 3 }, reply('a2', 't2', 4),
    { ...said('u3', 'again', 't3'), seq: 5, retryOf: 'u2' }, reply('a3', 't3', 6),
    { ...said('u4', 'again', 't4'), seq: 7, retryOf: 'u3' }, reply('a4', 't4', 8),
  ]
  const shown = turnsOf({ ...emptyState('c'), messages })
  expect(shown.map((t) => [t.said?.id, t.replies.map((m) => m.id)])).toEqual([['u1', ['a1']], ['u4', ['a4']]])
})

test('every kind has its place in the reducer', () => {
  expect(kinds).toHaveLength(new Set(kinds).size)
})
