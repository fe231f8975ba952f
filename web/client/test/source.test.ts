import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { facts } from '../src/event.gen.ts'
import { localActions } from '../src/problem.ts'

const web = fileURLToPath(new URL('../..', import.meta.url))

function sources(folder: string): [name: string, text: string][] {
  return readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.gen.ts'))
    .map((name) => [`${folder}/${name}`, code(readFileSync(join(web, folder, name), 'utf8'))])
}

/** The text without its comments. */
function code(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

test('only the client calls the routes of Steward', () => {
  const all = [...sources('client/src'), ...sources('widget/src')]
  expect(all.length).toBeGreaterThan(40)
  const callers = all.filter(([, text]) => /['"`/]v1\//.test(text)).map(([name]) => name)
  expect(callers).toEqual(['client/src/routes.ts'])
  const fetchers = all.filter(([, text]) => /\bfetch\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket/.test(text)).map(([name]) => name)
  expect(fetchers).toEqual(['client/src/http.ts'])
})

test('the client needs no page', () => {
  const all = sources('client/src')
  expect(all.length).toBeGreaterThan(15)
  for (const [name, text] of all) {
    const used = /\b(document|window|localStorage|sessionStorage|EventSource|Buffer|btoa|atob|location|HTMLElement)\b\s*[.([]|\bnew (EventSource|WebSocket)\b|from 'node:/.exec(text)
    expect(used?.[0], name).toBeUndefined()
  }
})

test('no HTML is written as text, and no style as an attribute', () => {
  const all = sources('widget/src')
  expect(all.length).toBeGreaterThan(20)
  for (const [name, text] of all) {
    expect(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|unsafeHTML|\beval\(|new Function|\sstyle=["$]/.exec(text)?.[0], name).toBeUndefined()
  }
})

test('what can be done about a fault found here is what the list says', () => {
  for (const [code, action] of Object.entries(localActions)) expect(facts[code as keyof typeof facts].action, code).toBe(action)
  expect(facts.unreachable.action).toBe('retry')
  expect(facts.internal.action).toBe('retry')
})
