import { randomUUID } from 'node:crypto'
import { Front, gist, highlight, somebody } from '../stack/front.ts'
import { expect, test } from '../stack/stack.ts'

/** A promise and what settles it. */
function signal(): { reached: Promise<void>; reach: () => void } {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  return { reached, reach }
}

test('an error of the provider in mid-stream ends the run, the text stays, and the next run works', async ({ stack }) => {
  await stack.model.script(
    { say: 'Half of an answer that breaks', end: { way: 'fail', after: 5, fault: { type: 'overloaded_error' } } },
    { say: 'Half of an answer that breaks', end: { way: 'fail', after: 5, fault: { type: 'overloaded_error' } } },
    { say: 'Half of an answer that breaks', end: { way: 'fail', after: 5, fault: { type: 'overloaded_error' } } },
  )
  const front = new Front(stack, somebody())
  front.says('Tell me')
  const ran = await front.run()
  expect(ran.finished).toBeUndefined()
  expect(ran.error?.code).toMatch(/^provider_/)
  expect(ran.error?.message).toBeTruthy()
  expect(gist(front.agent.messages).at(-1)).toContain('Half of')
  await stack.model.script({ say: 'All is well again.' })
  front.says('And now?')
  const next = await front.run()
  expect(next.error).toBeUndefined()
  expect(gist(front.agent.messages).at(-1)).toBe('assistant: All is well again.')
})

test('an error before any text ends the run too', async ({ stack }) => {
  await stack.model.script({ fault: { status: 401, type: 'authentication_error', message: 'SECRET of the vendor' } })
  const front = new Front(stack, somebody())
  front.says('Tell me')
  const ran = await front.run()
  expect(ran.error).toMatchObject({ code: 'provider_unauthorized', metadata: { action: 'operator' } })
  expect(JSON.stringify(ran.events)).not.toContain('SECRET')
})

test('a line that is closed leaves the turn to go on; the next message stops it first', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six seven eight', hold: 4 }, { say: 'The second answer.' })
  const front = new Front(stack, somebody())
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({}, { onTextMessageContentEvent: reach }).catch(() => undefined)
  await reached
  front.leave()
  await run
  front.says('Something else')
  const next = await front.run()
  expect(next.error).toBeUndefined()
  expect(gist(front.agent.messages).at(-1)).toBe('assistant: The second answer.')
  const { messages } = await front.load()
  expect(messages.filter((m) => m.role === 'user').map((m) => m.text)).toEqual(['Count', 'Something else'])
  expect((await stack.model.seen()).active).toBe(0)
})

test('a line that is closed, and no new message: the next run follows the turn to its end', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 })
  const front = new Front(stack, somebody())
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({}, { onTextMessageContentEvent: reach }).catch(() => undefined)
  await reached
  front.leave()
  await run
  const again = signal()
  const next = front.run({}, { onTextMessageContentEvent: again.reach })
  await again.reached
  await stack.model.release()
  const ran = await next
  expect(ran.finished).toBeDefined()
  expect(gist(front.agent.messages).filter((m) => m.startsWith('assistant'))).toEqual(['assistant: One two three four five six'])
  expect((await stack.model.seen()).requests).toHaveLength(1)
})

test('the same run again, while it runs, follows it', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 })
  const person = somebody()
  const front = new Front(stack, person)
  const runId = randomUUID()
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({ runId }, { onTextMessageContentEvent: reach })
  await reached
  const twin = new Front(stack, person, { threadId: front.threadId })
  twin.agent.setMessages(front.agent.messages.filter((m) => m.role === 'user'))
  const seen = signal()
  const second = twin.run({ runId }, { onTextMessageContentEvent: seen.reach })
  await seen.reached
  await stack.model.release()
  await Promise.all([run, second])
  expect(gist(twin.agent.messages)).toEqual(['user: Count', 'assistant: One two three four five six'])
  expect(gist(front.agent.messages)).toEqual(gist(twin.agent.messages))
  expect((await stack.model.seen()).requests).toHaveLength(1)
})

test('the same run again, once it has ended, gives the same messages and asks no model', async ({ stack }) => {
  await stack.model.script({ calls: [{ tool: 'stock-shelves', input: {} }] }, { say: 'Seven.' })
  const person = somebody()
  const front = new Front(stack, person)
  const runId = randomUUID()
  front.says('How many?')
  await front.run({ runId })
  const twin = new Front(stack, person, { threadId: front.threadId })
  twin.agent.setMessages(front.agent.messages.filter((m) => m.role === 'user'))
  const ran = await twin.run({ runId })
  expect(ran.finished).toBeDefined()
  const shape = (f: Front) => f.agent.messages.map((m) => [m.id, m.role, m.content ?? '', 'toolCalls' in m ? m.toolCalls?.map((c) => c.id) : undefined])
  expect(shape(twin)).toEqual(shape(front))
  expect((await stack.model.seen()).requests).toHaveLength(2)
})

test('an earlier run again tells how it ended, also when the conversation has gone on', async ({ stack }) => {
  await stack.model.script({ say: 'One.' }, { say: 'Two.' })
  const person = somebody()
  const front = new Front(stack, person)
  const runId = randomUUID()
  front.says('First')
  await front.run({ runId })
  const copy = front.agent.messages.filter((m) => m.role === 'user')
  front.says('Second')
  await front.run()
  const twin = new Front(stack, person, { threadId: front.threadId })
  twin.agent.setMessages(copy)
  const { events } = await twin.run({ runId })
  expect((events.at(-1)!['result'] as { text: string }).text).toBe('One.')
  expect((await stack.model.seen()).requests).toHaveLength(2)
})

test('the same run again, while it waits for the browser, names the same calls', async ({ stack }) => {
  await stack.model.script({ calls: [{ tool: 'highlight', input: { shelf: 'a1' } }] })
  const front = new Front(stack, somebody())
  const runId = randomUUID()
  front.says('Mark it')
  const first = await front.run({ runId, tools: [highlight] })
  const again = await front.run({ runId, tools: [highlight] })
  expect(again.pending).toEqual(first.pending)
  expect((await stack.model.seen()).requests).toHaveLength(1)
})

test('a turn that somebody follows is not stopped by another tab', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 })
  const person = somebody()
  const front = new Front(stack, person)
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({}, { onTextMessageContentEvent: reach })
  await reached
  const other = new Front(stack, person, { threadId: front.threadId })
  other.agent.setMessages(front.agent.messages.filter((m) => m.role === 'user'))
  other.says('Stop that')
  const refused = await other.refused()
  expect(refused.status).toBe(409)
  expect(refused.payload).toMatchObject({ code: 'turn_in_progress' })
  await stack.model.release()
  expect((await run).finished).toBeDefined()
})

test('the stop of a run is a request of its own, and what was said stays', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 })
  const front = new Front(stack, somebody())
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({}, { onTextMessageContentEvent: reach })
  await reached
  const stopped = await fetch(`${stack.url}/v1/conversations/${front.threadId}/cancel`, { method: 'POST', headers: { Authorization: `Bearer ${front.token}` } })
  expect(stopped.ok).toBe(true)
  const ran = await run
  expect(ran.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } })
  expect(gist(front.agent.messages).at(-1)).toContain('One')
})

test('a crash in mid-stream: the next run goes on where the log is', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 }, { say: 'One two three four five six' }, { say: 'Yes.' })
  const front = new Front(stack, somebody())
  front.says('Count')
  const { reached, reach } = signal()
  const failed = front.run({}, { onTextMessageContentEvent: reach }).then(() => undefined, (e: unknown) => e)
  await reached
  await stack.stopSteward('SIGKILL')
  expect(await failed, 'a cut line is an error, never an end').toBeInstanceOf(Error)
  await stack.startSteward()
  const ran = await front.run()
  expect(ran.finished).toBeDefined()
  const replies = gist(front.agent.messages).filter((m) => m.startsWith('assistant'))
  expect(replies).toEqual(['assistant: One two three four five six'])
  front.says('Are you there?')
  await front.run()
  expect(gist(front.agent.messages).at(-1)).toBe('assistant: Yes.')
  const { messages } = await front.load()
  expect(messages.filter((m) => m.role === 'user')).toHaveLength(2)
})

test('a stop of the server in mid-stream never looks like the end of the run', async ({ stack }) => {
  await stack.model.script({ say: 'One two three four five six', hold: 4 }, { say: 'One two three four five six' })
  const front = new Front(stack, somebody())
  front.says('Count')
  const { reached, reach } = signal()
  const run = front.run({}, { onTextMessageContentEvent: reach }).then((ran) => ran.error, (e: unknown) => e)
  await reached
  await stack.stopSteward('SIGTERM')
  expect(await run, 'the line is cut, or the run ends with an error').toBeDefined()
  await stack.startSteward()
  expect((await front.run()).finished).toBeDefined()
  expect(gist(front.agent.messages).filter((m) => m.startsWith('assistant'))).toEqual(['assistant: One two three four five six'])
})
