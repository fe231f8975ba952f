import { expect, test } from 'vitest'
import { texts as en } from '../src/words.en.gen.ts'
import { texts as he } from '../src/words.he.gen.ts'
import { texts as ru } from '../src/words.ru.gen.ts'
import { languageOf, Words } from '../src/words.ts'

test('a count takes the form of its language', () => {
  expect([1, 2, 1204].map((n) => new Words('en', en).count('ui.lookups', n))).toEqual(['1 look-up', '2 look-ups', '1,204 look-ups'])
  expect([1, 3, 5, 21].map((n) => new Words('ru', ru).count('ui.lookups', n))).toEqual(['1 запрос', '3 запроса', '5 запросов', '21 запрос'])
  expect([1, 2, 5].map((n) => new Words('he', he).count('ui.lookups', n))).toEqual(['בדיקה אחת', '2 בדיקות', '5 בדיקות'])
})

test('every text that counts has every form of its language', () => {
  for (const [language, texts] of [['en', en], ['he', he], ['ru', ru]] as const) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const key of Object.keys(texts).filter((k) => k.endsWith('.other'))) {
      for (const form of forms) expect(texts, `${language} ${key}`).toHaveProperty([key.replace(/other$/, form)])
    }
  }
})

test('slots are filled, and what is missing is seen', () => {
  const words = new Words('en', en)
  expect(words.text('ui.answeredBy', { name: 'Harbour Row' })).toBe('Answered by Harbour Row')
  expect(words.text('ui.answeredBy')).toBe('Answered by {name}')
  expect(words.text('ui.nothing' as never)).toBe('ui.nothing')
  expect([640, 50, 49].map((ms) => words.seconds(ms))).toEqual(['0.6 s', '0.1 s', ''])
})

test.each([['he-IL', 'he'], ['iw', 'he'], ['ru_RU', 'ru'], ['en-GB', 'en'], ['fr', 'en'], ['', 'en']])('%s is spoken to in %s', (locale, want) => {
  expect(languageOf(locale)).toBe(want)
})
