import { expect, test } from 'vitest'
import type { Complete, StewardEvent, Usage } from '../src/event.gen.ts'
import { Http } from '../src/http.ts'
import { problemOf } from '../src/problem.ts'
import type { Channel, Tabs } from '../src/relay.ts'
import { Session, type SessionOptions } from '../src/session.ts'
import { Tokens } from '../src/tokens.ts'
import { turnsOf } from '../src/turns.ts'
import type { Conversation, Message } from '../src/wire.ts'
import { FakeServer, type Answer } from './fakefetch.ts'

const usage: Usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, rounds: 1 }

function started(messageId: string): [string, StewardEvent][] {
  return [
    ['1.1', { type: 'RUN_STARTED', threadId: 'c', runId: 't1' }],
    ['1.2', { type: 'CUSTOM', name: 'steward.meta', value: { turnId: 't1', conversationId: 'c', messageId, answers: 'model', rail: 'operator', persona: 'P' } }],
    ['1.3', { type: 'TEXT_MESSAGE_START', messageId: 'a1', role: 'assistant' }],
    ['1.4', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a1', delta: 'Half' }],
  ]
}

function finished(messageId: string, text: string): [string, StewardEvent][] {
  const result: Complete = {
    turnId: 't1', messageId, text, usage, answers: 'model', outcome: 'completed', traceId: 'x',
    messages: [{ id: 'a1', seq: 2, role: 'assistant', turnId: 't1', createdAt: '', text, state: 'whole' }],
  }
  return [['2.1', { type: 'RUN_FINISHED', threadId: 'c', runId: 't1', result }]]
}

/** These sources give a token whenever they are asked. */
function unexpected(error: Error): never {
  throw error
}

function session(answers: Record<string, Answer[]>, more: Partial<SessionOptions> & { tokens?: Tokens } = {}, id?: string) {
  const server = new FakeServer(answers)
  const pauses: number[] = []
  const http = new Http({ base: 'http://host/m/', tokens: more.tokens ?? new Tokens(() => 'tok', unexpected), locale: () => 'he', refused: problemOf, fetch: server.fetch })
  const ids = ['u1', 'u2', 'u3']
  const own = new Session(
    { http, clientId: 'tab', now: () => 1000, newId: () => ids.shift() ?? 'u9', pause: async (ms) => void pauses.push(ms), ...more },
    id ?? 'c',
  )
  return { server, pauses, session: own }
}

const reauth: [string, StewardEvent] = ['', { type: 'CUSTOM', name: 'steward.reauth', value: {} }]

const post = 'POST /v1/conversations/*/messages'
const follow = 'GET /v1/conversations/*/events'
const load = 'GET /v1/conversations/*'

const texts = (s: Session): string[] => s.view.state.messages.map((m) => m.text)

test('a message streams, ends, and leaves nothing open', async () => {
  const { server, session: s } = session({ [post]: [{ events: [...started('u1'), ...finished('u1', 'Whole.')] }] })
  await s.send('who?', { page: { route: '/x' } })
  expect(texts(s)).toEqual(['who?', 'Whole.'])
  expect(s.view.line).toBe('closed')
  expect(server.seen).toHaveLength(1)
  expect(server.seen[0]).toMatchObject({ token: 'Bearer tok', body: { id: 'u1', text: 'who?', page: { route: '/x' } } })
})

test('a cut line is followed from the last event', async () => {
  const { server, pauses, session: s } = session({
    [post]: [{ events: started('u1'), cut: true }],
    [follow]: ['unreachable', { events: finished('u1', 'Half and whole.') }],
  })
  await s.send('who?')
  expect(server.paths).toEqual([post, follow, follow].map((p) => p.replace('/v1', '/v1')))
  expect(server.seen[1]?.lastEventId).toBe('1.4')
  expect(texts(s)).toEqual(['who?', 'Half and whole.'])
  expect(pauses).toHaveLength(1)
})

test('a clean close without an end is a cut', async () => {
  const { server, session: s } = session({ [post]: [{ events: started('u1') }], [follow]: [{ events: finished('u1', 'Whole.') }] })
  await s.send('who?')
  expect(server.paths).toEqual([post, follow])
  expect(texts(s)).toEqual(['who?', 'Whole.'])
})

test('a post that never arrived is sent again under its id', async () => {
  const { server, session: s } = session({ [post]: ['unreachable', 'unreachable', { events: [...started('u1'), ...finished('u1', 'Whole.')] }] })
  await s.send('who?')
  expect(server.seen.map((r) => r.body['id'])).toEqual(['u1', 'u1', 'u1'])
  expect(texts(s)).toEqual(['who?', 'Whole.'])
})

test('a server that is not there is asked for its status once, then a person is', async () => {
  const { server, session: s } = session({ [post]: ['unreachable'], 'GET /v1/status': ['unreachable'] })
  await s.send('who?')
  expect(server.paths).toEqual([post, post, post, post, 'GET /v1/status'])
  expect(s.view).toMatchObject({ line: 'lost', problem: { code: 'unreachable', action: 'retry' } })
  expect(texts(s)).toEqual(['who?'])
})

test('the status tells an assistant that is off from a line that is down', async () => {
  const { session: s } = session({ [post]: ['unreachable'], 'GET /v1/status': [{ json: { enabled: true, answers: 'none' } }] })
  await s.send('who?')
  expect(s.view.problem?.code).toBe('not_configured')
})

test('a line that was given up is taken up under the same id', async () => {
  const { server, session: s } = session({
    [post]: ['unreachable', 'unreachable', 'unreachable', 'unreachable', { events: [...started('u1'), ...finished('u1', 'Whole.')] }],
    'GET /v1/status': ['unreachable'],
  })
  await s.send('who?')
  await s.reconnect()
  expect(new Set(server.seen.filter((r) => r.method === 'POST').map((r) => r.body['id']))).toEqual(new Set(['u1']))
  expect(texts(s)).toEqual(['who?', 'Whole.'])
  expect(s.view.line).toBe('closed')
})

test('a refusal gives the words back and keeps nothing', async () => {
  const { session: s } = session({
    [post]: [{ status: 429, json: { code: 'quota_exceeded', detail: 'Later.', traceId: 't', action: 'wait' }, headers: { 'Retry-After': '60' } }],
  })
  await s.send('who?')
  expect(s.view).toMatchObject({ unsent: 'who?', problem: { code: 'quota_exceeded', sentence: 'Later.', retryAfterSeconds: 60, action: 'wait' } })
  expect(texts(s)).toEqual([])
  expect(s.view.state.phase).toBe('resting')
})

test('a 401 is answered with one new token, and only one', async () => {
  let asked = 0
  const { server, session: s } = session(
    { [post]: [{ status: 401, json: { code: 'unauthorized' } }, { events: [...started('u1'), ...finished('u1', 'Whole.')] }] },
    { tokens: new Tokens(() => `tok${++asked}`, unexpected) },
  )
  await s.send('who?')
  expect(server.seen.map((r) => r.token)).toEqual(['Bearer tok1', 'Bearer tok2'])
  const again = session({ [post]: [{ status: 401, json: { code: 'unauthorized' } }] }, { tokens: new Tokens(() => `tok${++asked}`, unexpected) })
  await again.session.send('who?')
  expect(again.server.seen).toHaveLength(2)
  expect(again.session.view.problem).toMatchObject({ code: 'unauthorized', action: 'sign_in' })
})

test('a token about to end is renewed and the line taken up with the new one', async () => {
  let asked = 0
  const { server, session: s } = session(
    { [post]: [{ events: [...started('u1'), reauth] }], [follow]: [{ events: finished('u1', 'Whole.') }] },
    { tokens: new Tokens(() => `tok${++asked}`, unexpected) },
  )
  await s.send('who?')
  expect(server.seen.map((r) => r.token)).toEqual(['Bearer tok1', 'Bearer tok2'])
  expect(texts(s)).toEqual(['who?', 'Whole.'])
})

/** The end of a turn that waits: it has no outcome yet. */
function waits(n: number): [string, StewardEvent][] {
  const result = { turnId: 't1', messageId: 'u1', text: '', messages: [], usage, answers: 'model', outcome: '', traceId: 'x' } as unknown as Complete
  return [reauth, [`${n}.9`, { type: 'RUN_FINISHED', threadId: 'c', runId: 't1', result }]]
}

test('a turn that waits for a token goes on with a new one', async () => {
  let asked = 0
  const { server, session: s } = session(
    { [post]: [{ events: [...started('u1'), ...waits(1)] }], [follow]: [{ events: waits(2) }, { events: finished('u1', 'Whole.') }] },
    { tokens: new Tokens(() => `tok${++asked}`, unexpected) },
  )
  await s.send('who?')
  expect(server.paths).toEqual([post, follow, follow])
  expect(server.seen.map((r) => [r.token, r.lastEventId])).toEqual([['Bearer tok1', ''], ['Bearer tok2', '1.9'], ['Bearer tok3', '2.9']])
  expect(texts(s)).toEqual(['who?', 'Whole.'])
  expect(s.view).toMatchObject({ line: 'closed', state: { phase: 'resting' } })
})

test('without a new token the turn waits, and the member is asked to sign in', async () => {
  const { server, session: s } = session({ [post]: [{ events: [...started('u1'), ...waits(1)] }] })
  await s.send('who?')
  expect(server.paths).toEqual([post])
  expect(s.view).toMatchObject({ line: 'closed', state: { phase: 'waiting' }, problem: { code: 'unauthorized', action: 'sign_in' } })
})

test('a server that takes no token is not asked for ever', async () => {
  let asked = 0
  const { server, session: s } = session({ [post]: [{ events: [...started('u1'), ...waits(1)] }], [follow]: [{ events: waits(2) }] }, { tokens: new Tokens(() => `tok${++asked}`, unexpected) })
  await s.send('who?')
  expect(server.paths).toEqual([post, follow, follow, follow])
  expect(s.view.state.phase).toBe('waiting')
})

test('a retry sends the same words and is shown once', async () => {
  const error: [string, StewardEvent] = ['2.1', {
    type: 'RUN_ERROR', message: 'Kept.', code: 'provider_unreachable', traceId: 'x', action: 'retry',
    result: { turnId: 't1', messageId: 'u1', text: '', messages: [], usage, answers: 'model', outcome: 'provider_error', traceId: 'x' },
  }]
  const { server, session: s } = session({ [post]: [{ events: [...started('u1').slice(0, 2), error] }, { events: [...started('u2'), ...finished('u2', 'Whole.')] }] })
  await s.send('who?')
  expect(s.view.state.messages[0]?.turn?.code).toBe('provider_unreachable')
  await s.retry('u1')
  expect(server.seen[1]?.body).toMatchObject({ id: 'u2', text: 'who?', retryOf: 'u1' })
  expect(turnsOf(s.view.state).map((t) => [t.said?.id, t.replies.length])).toEqual([['u2', 1]])
})

test('stop asks once, and the end says so', async () => {
  let release = (): void => undefined
  const hold = new Promise<void>((resolve) => (release = resolve))
  const { server, session: s } = session({
    [post]: [{ events: started('u1'), hold }],
    'POST /v1/conversations/*/cancel': [{ json: { cancelled: true }, status: 202 }],
    [follow]: [{ events: finished('u1', 'Half') }],
  })
  const sent = s.send('who?')
  await expect.poll(() => texts(s)).toEqual(['who?', 'Half'])
  await Promise.all([s.stop(), s.stop()])
  expect(server.seen.filter((r) => r.path.endsWith('cancel')).map((r) => r.body)).toEqual([{ turnId: 't1' }])
  expect(s.view.stopping).toBe(true)
  release()
  await sent
  expect(s.view).toMatchObject({ stopping: false, line: 'closed', state: { phase: 'resting' } })
})

const stored: Conversation = {
  id: 'c', title: 'T', state: 'running', createdAt: '', updatedAt: '', head: '1.0',
  messages: [{ id: 'u1', seq: 1, role: 'user', turnId: 't1', createdAt: '', text: 'who?', turn: { id: 't1', state: 'running' } }],
}

test('what waits for a token when the page is opened goes on', async () => {
  const { server, session: s } = session({ [load]: [{ json: { ...stored, state: 'waiting' } }], [follow]: [{ events: [...started('u1').slice(0, 3), ...finished('u1', 'Whole.')] }] })
  await s.load()
  await expect.poll(() => texts(s)).toEqual(['who?', 'Whole.'])
  expect(server.paths).toEqual([load, follow])
})

test('a reload follows what runs, and rests where nothing does', async () => {
  const { server, session: s } = session({ [load]: [{ json: stored }], [follow]: [{ events: [...started('u1').slice(2), ...finished('u1', 'Whole.')] }] })
  expect(await s.load()).toBe(true)
  await expect.poll(() => texts(s)).toEqual(['who?', 'Whole.'])
  expect(server.seen[1]?.lastEventId).toBe('1.0')
  const resting = session({ [load]: [{ json: { ...stored, state: 'resting' } }] })
  await resting.session.load()
  expect(resting.server.seen).toHaveLength(1)
})

test('a turn that ended while nobody listened is read from the log', async () => {
  const done: Conversation = { ...stored, state: 'resting', messages: [{ ...(stored.messages[0] as Message), turn: { id: 't1', state: 'ended' } }, { id: 'a1', seq: 2, role: 'assistant', turnId: 't1', createdAt: '', text: 'Whole.' }] }
  const { server, session: s } = session({ [load]: [{ json: stored }, { json: done }], [follow]: [{ events: [['', { type: 'CUSTOM', name: 'steward.caught_up', value: {} }]] }] })
  await s.load()
  await expect.poll(() => texts(s)).toEqual(['who?', 'Whole.'])
  expect(server.paths).toEqual([load, follow, load])
  expect(s.view.line).toBe('closed')
})

test('what is sent while the conversation is read is not put away by what was stored before', async () => {
  let answer = (): void => undefined
  let cut = (): void => undefined
  const before: Conversation = { ...stored, state: 'resting', messages: [{ id: 'u0', seq: 1, role: 'user', turnId: 't0', createdAt: '', text: 'before', turn: { id: 't0', state: 'ended' } }] }
  const { server, session: s } = session({
    [load]: [{ json: before, hold: new Promise((resolve) => (answer = resolve)) }],
    [post]: [{ events: started('u1'), hold: new Promise((resolve) => (cut = resolve)), cut: true }],
    [follow]: [{ events: finished('u1', 'Whole.') }],
  })
  const loaded = s.load()
  const sent = s.send('who?')
  await expect.poll(() => texts(s)).toEqual(['who?', 'Half'])
  answer()
  expect(await loaded).toBe(true)
  expect(texts(s)).toEqual(['before', 'who?', 'Half'])
  expect(s.view).toMatchObject({ loading: false, line: 'open', state: { phase: 'running', turnId: 't1', title: 'T', head: '1.4' } })
  cut()
  await sent
  expect(texts(s)).toEqual(['before', 'who?', 'Whole.'])
  expect(server.paths).toEqual([load, post, follow])
})

test('a conversation that is gone says so', async () => {
  const { session: s } = session({ [load]: [{ status: 404, json: { code: 'not_found' } }] })
  expect(await s.load()).toBe(false)
})

test('a line that never comes back is given up, and asks for nothing more', async () => {
  const { server, pauses, session: s } = session({ [post]: [{ events: started('u1'), cut: true }], [follow]: ['unreachable'] })
  await s.send('who?')
  expect(s.view).toMatchObject({ line: 'lost', problem: { code: 'unreachable' } })
  expect(server.paths.filter((p) => p === follow)).toHaveLength(10)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(8000)
})

/** The tabs of one origin. */
class Origin {
  #channels = new Map<string, Set<Channel>>()
  #held = new Map<string, Promise<void>>()

  tabs(): Tabs {
    return {
      channel: (name) => {
        const all = this.#channels.get(name) ?? new Set()
        this.#channels.set(name, all)
        const own: Channel = {
          onmessage: null,
          postMessage: (message) => {
            const data: unknown = structuredClone(message)
            for (const other of all) if (other !== own) queueMicrotask(() => other.onmessage?.({ data }))
          },
          close: () => void all.delete(own),
        }
        all.add(own)
        return own
      },
      locks: {
        request: async (name, { signal }, hold) => {
          const before = this.#held.get(name) ?? Promise.resolve()
          let done = (): void => undefined
          const mine = new Promise<void>((resolve) => (done = resolve))
          this.#held.set(name, before.then(() => mine))
          try {
            await Promise.race([before, new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))])
            await hold()
          } finally {
            done()
          }
        },
      },
    }
  }
}

test('one tab reads, the other hears all of it', async () => {
  const origin = new Origin()
  let release = (): void => undefined
  const hold = new Promise<void>((resolve) => (release = resolve))
  const a = session({ [post]: [{ events: started('u1'), hold }], [follow]: [{ events: finished('u1', 'Whole.') }] }, { tabs: origin.tabs() })
  const b = session({ [load]: [{ json: { ...stored, state: 'resting', messages: [] } }] }, { tabs: origin.tabs() })
  await b.session.load()
  const sent = a.session.send('who?')
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Half'])
  release()
  await sent
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Whole.'])
  expect(b.server.paths).toEqual([load])
  expect(b.session.view).toMatchObject({ line: 'closed', state: { phase: 'resting' } })
})

test('a tab that comes later joins the one that reads', async () => {
  const origin = new Origin()
  let release = (): void => undefined
  const hold = new Promise<void>((resolve) => (release = resolve))
  const a = session({ [post]: [{ events: started('u1'), hold }], [follow]: [{ events: finished('u1', 'Whole.') }] }, { tabs: origin.tabs() })
  const sent = a.session.send('who?')
  await expect.poll(() => texts(a.session)).toEqual(['who?', 'Half'])
  const b = session({ [load]: [{ json: stored }] }, { tabs: origin.tabs() })
  await b.session.load()
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Half'])
  release()
  await sent
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Whole.'])
  expect(b.server.paths).toEqual([load])
})

test('when the reading tab is closed the other reads on', async () => {
  const origin = new Origin()
  const hold = new Promise<void>(() => undefined)
  const a = session({ [post]: [{ events: started('u1'), hold }] }, { tabs: origin.tabs() })
  void a.session.send('who?')
  await expect.poll(() => texts(a.session)).toEqual(['who?', 'Half'])
  const b = session({ [load]: [{ json: stored }], [follow]: [{ events: finished('u1', 'Whole.') }] }, { tabs: origin.tabs() })
  await b.session.load()
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Half'])
  a.session.close()
  await expect.poll(() => texts(b.session)).toEqual(['who?', 'Whole.'])
  expect(b.server.paths).toEqual([load, follow])
  expect(b.server.seen[1]?.lastEventId).toBe('1.4')
})
