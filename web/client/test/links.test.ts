import { expect, test } from 'vitest'
import { fits, linkTarget, navEntryOf, type LinkRules } from '../src/links.ts'
import { random } from './random.ts'

const rules: LinkRules = {
  origin: 'https://gym.example',
  nav: [{ path: '/schedule', label: 'S' }, { path: '/members/{id}', label: 'M' }, { path: '/members/new', label: 'N' }],
  linkOrigins: ['https://help.example.com'],
}

test.each([
  ['/schedule', '/schedule'],
  ['/schedule/', '/schedule/'],
  ['/schedule?day=1#today', '/schedule?day=1#today'],
  ['/members/7', '/members/7'],
  ['https://gym.example/members/7', '/members/7'],
  ['https://help.example.com/a?b', 'https://help.example.com/a?b'],
])('%s is a link', (href, want) => {
  const target = linkTarget(href, rules)
  expect(target?.kind === 'page' ? target.path : target?.url).toBe(want)
})

test.each([
  '', ' ', 'schedule', '/members', '/members/7/edit', '/admin', '//evil.example/schedule', '\\\\evil.example', '/\\evil.example', '/\t/evil.example',
  'https://gym.example.evil/schedule', 'https://evil.example', 'https://user@gym.example/schedule', 'https://user:x@help.example.com/', 'http://help.example.com/',
  'https://help.example.com:8443/', 'https://help.example.com.evil/', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x',
  'blob:https://gym.example/x', 'vbscript:x', 'mailto:a@b.c', 'tel:1', 'ftp://gym.example/schedule', '/schedule/../admin', '/%2e%2e/admin', 'https:/schedule', 'https:schedule', '?x', '#x',
])('%j is no link', (href) => {
  expect(linkTarget(href, rules)).toBeNull()
})

test('whatever is let through leads to a page of the nav index or an allowed origin', () => {
  const next = random(3)
  const parts = ['/', '\\', 'https:', 'http:', '//', 'gym.example', 'help.example.com', 'evil.example', '@', ':', '..', '%2f', 'schedule', 'members', '7', '?', '#', ' ', '\t', '\u202e', 'javascript:']
  for (let round = 0; round < 20000; round++) {
    const href = Array.from({ length: 1 + Math.floor(next() * 6) }, () => parts[Math.floor(next() * parts.length)]).join('')
    const target = linkTarget(href, rules)
    if (target === null) continue
    const url = new URL(target.kind === 'page' ? target.path : target.url, rules.origin)
    expect([rules.origin, ...rules.linkOrigins], href).toContain(url.origin)
    if (url.origin === rules.origin) expect(rules.nav.some((n) => fits(n.path, url.pathname)), href).toBe(true)
  }
})

test('an entry without braces goes before one with', () => {
  expect(navEntryOf('/members/new', rules.nav)?.label).toBe('N')
  expect(navEntryOf('/members/9/', rules.nav)?.label).toBe('M')
  expect(navEntryOf('/nowhere', rules.nav)).toBeUndefined()
})
