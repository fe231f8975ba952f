import { Front, gist, somebody } from '../stack/front.ts'
import { expect, test } from '../stack/stack.ts'

test('a text run gives the messages that the server keeps', async ({ stack }) => {
  await stack.model.script({ say: 'Seven boxes of tea are left.' }, { say: 'Aisle four.' })
  const front = new Front(stack, somebody())
  front.says('How much tea is left?')
  const ran = await front.run()
  expect(ran.finished).toBeDefined()
  front.says('And where?')
  await front.run()
  expect(gist(front.agent.messages)).toEqual([
    'user: How much tea is left?', 'assistant: Seven boxes of tea are left.', 'user: And where?', 'assistant: Aisle four.',
  ])
  const { state, messages } = await front.load()
  expect(state).toBe('resting')
  expect(messages.map((m) => [m.id, m.role, m.text])).toEqual(front.agent.messages.map((m) => [m.id, m.role, m.content]))
  const { requests } = await stack.model.seen()
  expect(requests).toHaveLength(2)
})

test('usage is in the end of the run', async ({ stack }) => {
  await stack.model.script({ say: 'Four words are here.' })
  const front = new Front(stack, somebody())
  front.says('Say four words')
  const { events } = await front.run()
  const end = events.at(-1)! as unknown as { usage: Record<string, number | string>[]; result: { turnId: string; text: string } }
  expect(end.usage).toHaveLength(1)
  expect(end.usage[0]).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-5' })
  expect(end.usage[0]!['inputTokens']).toBeGreaterThan(0)
  expect(end.usage[0]!['outputTokens']).toBeGreaterThan(0)
  expect(end.result.text).toBe('Four words are here.')
})

test('a thread of any name is a conversation, and its messages keep their ids', async ({ stack }) => {
  await stack.model.script({ say: 'Hello.' }, { say: 'Again.' })
  const front = new Front(stack, somebody(), { threadId: 'shop/thread №7' })
  front.says('Hi', 'msg-1')
  await front.run()
  front.says('Hi again', 'msg-2')
  await front.run()
  expect(gist(front.agent.messages)).toEqual(['user: Hi', 'assistant: Hello.', 'user: Hi again', 'assistant: Again.'])
  const { requests } = await stack.model.seen()
  expect(JSON.stringify(requests[1]!.messages)).toContain('Hello.')
})

test('thinking is told as reasoning or not at all, and closes before the end', async ({ stack }) => {
  await stack.model.script({ think: 'The member wants tea.', say: 'Tea it is.' })
  const front = new Front(stack, somebody())
  front.says('Tea?')
  await front.run()
  expect(gist(front.agent.messages.filter((m) => m.role !== 'reasoning'))).toEqual(['user: Tea?', 'assistant: Tea it is.'])
})

test('a run that says nothing new asks no model', async ({ stack }) => {
  await stack.model.script({ say: 'Hello.' })
  const empty = new Front(stack, somebody())
  expect((await empty.run()).finished).toBeDefined()
  const front = new Front(stack, somebody())
  front.says('Hi')
  await front.run()
  expect((await front.run()).finished).toBeDefined()
  expect((await stack.model.seen()).requests).toHaveLength(1)
  expect(front.agent.messages).toHaveLength(2)
})
