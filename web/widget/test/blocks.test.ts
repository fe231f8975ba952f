import { Parser } from 'marked'
import { expect, test } from 'vitest'
import { blocksOf } from '../src/panel/markdown/blocks.ts'

/** What a person reads of a text: its words, without marks. */
function visible(text: string, writing: boolean): string {
  return blocksOf(text, writing)
    .map((b) => Parser.parse(b.tokens))
    .join('\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&[#\w]+;/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The kinds of the blocks, which must not change once they are on the screen. */
function kinds(text: string): string[] {
  return blocksOf(text, true).map((b) => b.tokens[0]?.type ?? '')
}

const samples = [
  'Thursday’s 18:00 **Foundations** has *3 places* left, and `new` people start there.',
  'One.\n\nTwo with **bold that wraps\nover lines** and more.\n\n- a list\n- **bold** item\n  - nested\n- last\n\nEnd.',
  '# Heading\n\nText under it\n\n## Second\n\n1. one\n2. two\n\n> quoted\n> more\n\n---\n\nAfter.',
  '| Class | Places |\n| --- | ---: |\n| Engine | 12 |\n| Barbell | 10 |\n\nAfter the table.',
  'Code:\n\n```json\n{"a": "b",\n\n "c": **1**}\n```\n\nand after.',
  'A [link](/schedule) and [another one](https://x.example/a_b "title") then ~~gone~~.',
  'Snake_case_names and 2 * 3 * 4 = 24, a*b, and 5 < 6 > 4.',
  'שלום **עולם** וגם `קוד` כאן.',
]

test.each(samples)('what was shown stays while %j is written', (text) => {
  let before = ''
  let shapes: string[] = []
  for (let i = 1; i <= text.length; i++) {
    const now = visible(text.slice(0, i), true)
    expect(now.startsWith(before), `${JSON.stringify(text.slice(0, i))}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`).toBe(true)
    const shape = kinds(text.slice(0, i))
    expect(shape.slice(0, shapes.length - 1), JSON.stringify(text.slice(0, i))).toEqual(shapes.slice(0, -1))
    before = now
    shapes = shape
  }
  expect(visible(text, false).startsWith(before)).toBe(true)
})

test('a whole text is held back nowhere', () => {
  expect(visible('a\n\n- b\n- ', false)).toBe('a b')
  expect(visible('x | y', false)).toBe('x | y')
  expect(visible('2 *', false)).toBe('2 *')
})
