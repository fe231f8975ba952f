import { expect, test } from 'vitest'
import { plainText } from '../src/panel/markdown/plain.ts'

test.each<[string, string, string]>([
  ['a record', 'Here it is:\n\n- **Locale**: en\n- **Name**: Dana\\_L', 'Here it is:\nLocale: en\nName: Dana_L'],
  ['escapes', 'A \\[image\\] of \\<b\\> & "more"', 'A [image] of <b> & "more"'],
  ['a picture and a link', '![the yard](https://x/y.png) by [Dana](/members/7)', 'the yard by Dana'],
  ['headings, quotes and rules', '# One\n\n> two\n> more\n>\n> end\n\n---\n\nthree  \nfour', 'One\ntwo\nmore\nend\nthree\nfour'],
  ['nested lists', '1. one\n   - *two*\n2. `three`', 'one\ntwo\nthree'],
  ['loose lists and tasks', '- [x] done\n\n- open', 'done\nopen'],
  ['a table', '| Class | Places |\n| --- | ---: |\n| **Engine** | 12 |', 'Class, Places\nEngine, 12'],
  ['code', '```json\n{"a": 1}\n```', '{"a": 1}'],
  ['Hebrew', '- **שם**: דנה', 'שם: דנה'],
])('%s', (_, text, want) => {
  expect(plainText(text)).toBe(want)
})
