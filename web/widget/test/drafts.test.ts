import { beforeEach, expect, test, vi } from 'vitest'
import { Drafts, personOf } from '../src/panel/drafts.ts'

const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

const token = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.x`

test('a draft outlives the page, by conversation, until it is sent', () => {
  const before = new Drafts('/', 'noa')
  before.write('', 'half a que')
  before.write('c1', 'more')
  const after = new Drafts('/', 'noa')
  expect([after.read(''), after.read('c1'), after.read('c2')]).toEqual(['half a que', 'more', ''])
  after.write('', '')
  after.write('c1', '')
  expect(kept.size).toBe(0)
})

test('another member finds nothing', () => {
  new Drafts('/', personOf(token({ sub: 'noa' }), 'h')).write('', 'private')
  expect(new Drafts('/', personOf(token({ sub: 'lior' }), 'h')).read('')).toBe('')
  expect(kept.size).toBe(0)
})

test('a member is told by the subject, or else by what is given', () => {
  expect(personOf(token({ sub: 'noa', exp: 1 }), 'a')).toBe(personOf(token({ sub: 'noa', exp: 2 }), 'b'))
  expect(personOf(token({ sub: 'noa' }), 'a')).not.toContain('noa')
  expect(personOf('opaque', 'a')).toBe(personOf(null, 'a'))
  expect(personOf('opaque', 'a')).not.toBe(personOf('opaque', 'b'))
})

test('storage that is closed is no fault', () => {
  vi.stubGlobal('sessionStorage', undefined)
  const drafts = new Drafts('/', 'noa')
  drafts.write('', 'kept while the page lives')
  expect(drafts.read('')).toBe('kept while the page lives')
})
