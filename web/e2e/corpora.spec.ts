import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, foreignRequests, test } from './panel.ts'

const folder = fileURLToPath(new URL('../../../shared/data/markdown/', import.meta.url))

/** Each text of a corpus of hostile or odd Markdown. */
function texts(): string[] {
  const read = (name: string): string => readFileSync(folder + name, 'utf8')
  const commonmark = (JSON.parse(read('commonmark-0.31.2-examples.json')) as { markdown: string }[]).map((e) => e.markdown)
  const purify = (JSON.parse(read('dompurify-expect.json')) as { payload: string }[]).map((e) => e.payload)
  const xss = read('markdown-it-xss.txt').split(/^\.$/m).map((part) => part.trim()).filter(Boolean)
  return [...commonmark, ...purify, ...xss]
}

test('odd and hostile texts run nothing, load nothing and leave no policy broken', async ({ panel, user, page, baseURL, context }) => {
  test.skip(!existsSync(folder), `no corpora at ${folder}`)
  test.setTimeout(120_000)
  const foreign = foreignRequests(context, baseURL ?? '')
  await (await panel.visit({ as: user, query: 'plain' })).open()
  await panel.ask('hello there')
  await panel.rested()
  const all = texts()
  expect(all.length).toBeGreaterThan(700)
  // Through the element itself: a conversation for each of a thousand texts would only try the server.
  const found = await page.evaluate(async (all) => {
    const view = document.querySelector('steward-assistant')?.shadowRoot?.querySelector('steward-view') as HTMLElement & { rules: unknown }
    const log = view.shadowRoot?.querySelector('.log-inner') as HTMLElement
    const bad: string[] = []
    for (const text of all) {
      const reply = document.createElement('steward-reply') as HTMLElement & { rules: unknown; text: string; writing: boolean }
      reply.rules = view.rules
      log.append(reply)
      for (const cut of [Math.floor(text.length / 3), Math.floor(text.length / 2), text.length]) {
        reply.writing = cut < text.length
        reply.text = text.slice(0, cut)
        await Promise.resolve()
        for (const element of reply.querySelectorAll('*')) {
          const name = element.localName
          const odd = [...element.attributes].filter((a) => !['dir', 'href', 'class', 'start', 'align', 'tabindex', 'role', 'target', 'rel'].includes(a.name))
          const known = ['div', 'p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'hr', 'a', 'h3', 'h4', 'h5', 'table', 'thead', 'tbody', 'tr', 'th', 'td']
          const href = element.getAttribute('href')
          if (!known.includes(name) || odd.length > 0 || (href !== null && !/^\/(schedule|members|leads)|^https:\/\/help\.example\.com\//.test(href))) bad.push(`${text.slice(0, 60)}: <${name} ${odd.map((a) => a.name).join(' ')} ${href ?? ''}>`)
        }
      }
      reply.remove()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    return bad
  }, all)
  expect(found).toEqual([])
  expect(foreign).toEqual([])
})
