import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { highlight, somebody } from '../stack/front.ts'
import { expect, test } from '../stack/stack.ts'
import { Chat } from './bare.ts'

const file = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('the manual shows what runs here', () => {
  const ran = new Set((file('client/bare.ts') + file('shop/app.tsx')).split('\n').map((line) => line.trim()))
  const blocks = [...file('../../docs/agui.md').matchAll(/^## (.+)$|^```tsx?\n([^]*?)^```/gm)]
  let heading = ''
  let checked = 0
  for (const [, title, code] of blocks) {
    if (title) heading = title
    if (!code || heading === 'CopilotKit') continue
    for (const line of code.split('\n')) if (line.trim() !== '' && line.trim() !== '…') expect(ran, heading).toContain(line.trim())
    checked++
  }
  expect(checked).toBeGreaterThan(2)
})

test('the manual’s own front end asks, does what the page can, and takes up a conversation that went on elsewhere', async ({ stack }) => {
  const person = somebody()
  const threadId = randomUUID()
  const marked: unknown[] = []
  const tools = [{ ...highlight, run: (input: Record<string, unknown>) => marked.push(input['shelf']) > 0 }]
  const open = () => new Chat(`${stack.url}/v1/agui`, threadId, () => Promise.resolve(stack.host.token(person)), tools)
  await stack.model.script({ calls: [{ tool: 'highlight', input: { shelf: 'a1' } }] }, { say: 'Marked.' }, { say: 'Two.' }, { say: 'Three.' })
  const chat = open()
  expect(await chat.ask('Mark the tea')).toBe('Marked.')
  expect(marked).toEqual(['a1'])
  const other = open()
  other.agent.setMessages(structuredClone(chat.agent.messages))
  expect(await other.ask('From another tab')).toBe('Two.')
  expect(await chat.ask('And from this one')).toBe('Three.')
  expect(chat.agent.messages.filter((m) => m.role === 'user').map((m) => m.content)).toEqual(['Mark the tea', 'From another tab', 'And from this one'])
  await stack.model.script({ fault: { status: 401, type: 'authentication_error' } })
  await expect(chat.ask('Once more')).rejects.toThrow(/\w/)
})
