import { Front, highlight, somebody } from '../stack/front.ts'
import { sign } from '../stack/token.ts'
import { expect, test } from '../stack/stack.ts'

test('who has no token, or one that has ended, is told so', async ({ stack }) => {
  for (const token of ['nothing', sign(somebody(), stack.host.secret, -60), sign(somebody(), 'another secret')]) {
    const front = new Front(stack, somebody(), { token })
    front.says('Hello')
    const refused = await front.refused()
    expect(refused.status).toBe(401)
    expect(refused.payload).toMatchObject({ code: 'unauthorized', action: 'sign_in' })
    expect(JSON.stringify(refused.payload)).not.toContain(token)
  }
})

test('who may only read may not begin a run', async ({ stack }) => {
  for (const roles of [['auditor'], ['nobody']]) {
    const front = new Front(stack, somebody(roles))
    front.says('Hello')
    const refused = await front.refused()
    expect(refused.status).toBe(403)
    expect(refused.payload).toMatchObject({ code: 'forbidden' })
  }
})

test('what is malformed is refused with its field and without its value', async ({ stack }) => {
  const front = new Front(stack, somebody())
  const input = { threadId: front.threadId, runId: 'r', messages: [{ id: 'm', role: 'user' as const, content: 'Hello' }] }
  const long = 'x'.repeat(129)
  for (const [field, body] of [
    ['threadId', { ...input, threadId: long }],
    ['threadId', { ...input, threadId: 'ж'.repeat(65) }],
    ['runId', { ...input, runId: '' }],
    ['runId', { threadId: 't', messages: [] }],
    ['messages', { threadId: 't', runId: 'r' }],
    ['protocolVersion', { ...input, protocolVersion: '2.0' }],
    ['messages[0].role', { ...input, messages: [{ id: 'm', role: 'overlord', content: 'secret-value' }] }],
    ['messages[0].content', { ...input, messages: [{ id: 'm', role: 'user', content: 7 }] }],
    ['messages[0].content', { ...input, messages: [{ id: 'm', role: 'user', content: '  ' }] }],
    ['messages[0].toolCallId', { ...input, messages: [{ id: 'm', role: 'tool', content: 'secret-value' }] }],
    ['messages[0].content[0]', { ...input, messages: [{ id: 'm', role: 'user', content: [{ type: 'secret-value' }] }] }],
    ['resume', { ...input, resume: [{ interruptId: 'secret-value', status: 'resolved' }] }],
    ['tools[0].name', { ...input, tools: [{ name: 'secret value', description: '' }] }],
    ['tools[1].name', { ...input, tools: [highlight, highlight] }],
    ['tools[0].parameters', { ...input, tools: [{ ...highlight, parameters: { type: 'secret-value' } }] }],
    ['body', '{"threadId":"secret-value"'],
  ] as [string, Record<string, never> | string][]) {
    const answer = await front.post(body)
    const problem = (await answer.json()) as { field?: string; detail: string }
    expect([answer.status, problem.field], JSON.stringify(body).slice(0, 200)).toEqual([400, field])
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(JSON.stringify(problem)).not.toContain('secret')
  }
  expect((await front.post(input, { 'Content-Type': 'text/plain' })).status).toBe(400)
})

test('a body that is too long is 413, a part that is no text is 415', async ({ stack }) => {
  const front = new Front(stack, somebody())
  front.says('Hello')
  const long = await front.refused({ forwardedProps: { blob: 'x'.repeat(5 << 20) } })
  expect(long.status).toBe(413)
  expect(long.payload).toMatchObject({ code: 'body_too_large', field: 'body' })

  const picture = new Front(stack, somebody())
  picture.agent.addMessage({
    id: 'm', role: 'user',
    content: [{ type: 'text', text: 'What is this?' }, { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } }],
  })
  const refused = await picture.refused()
  expect(refused.status).toBe(415)
  expect(refused.payload).toMatchObject({ code: 'unsupported_attachment', field: 'messages[0].content[1]' })
})

test('text in parts is text, and members that nobody knows are ignored', async ({ stack }) => {
  await stack.model.script({ say: 'Hello.' })
  const front = new Front(stack, somebody())
  front.agent.addMessage({ id: 'm', role: 'user', content: [{ type: 'text', text: 'First half.' }, { type: 'text', text: 'Second half.' }] })
  await front.run()
  expect((await front.load()).messages[0]!.text).toBe('First half.\nSecond half.')

  await stack.model.script({ say: 'Hello.' })
  const odd = new Front(stack, somebody())
  const answer = await odd.post({
    threadId: odd.threadId, runId: 'r', protocolVersion: '1.0', parentRunId: 'p', state: null, somethingNew: { a: [1] },
    messages: [{ id: 'm', role: 'user', content: 'Hello', name: 'N', mood: 'good' }], tools: [], context: [], resume: [],
  } as never)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('RUN_FINISHED')
})
