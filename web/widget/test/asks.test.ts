import { expect, test } from 'vitest'
import { askParts } from '../src/panel/asks.ts'
import { segmentsOf } from '../src/panel/segments.ts'
import type { ShownMessage } from '../../client/src/state.ts'

test.each<[string, string, (string | string[])[]]>([
  ['questions', 'These come close:\n\n- Who is booked\\?\n- Which *classes* are full?', ['These come close:', ['Who is booked?', 'Which classes are full?']]],
  ['Hebrew and a text after', 'א:\n\n- מי רשום?\n\nסוף.', ['א:', ['מי רשום?'], 'סוף.']],
  ['a starter without a mark', '- Leads that wait', [['Leads that wait']]],
  ['a list of records', 'Found:\n\n- Hila Tzur\n- Who?', ['Found:\n\n- Hila Tzur\n- Who?']],
  ['no list', 'One.\n\nTwo?', ['One.\n\nTwo?']],
])('%s', (_, text, want) => {
  expect(askParts(text, ['Leads that wait'])).toEqual(want)
})

test('only a guide’s list of questions is pressed, and only once it is whole', () => {
  const message: ShownMessage = { id: 'a', seq: 2, role: 'assistant', turnId: 't', createdAt: '', text: '- Who?', state: 'whole', answers: 'guide' }
  const kinds = (m: ShownMessage) => segmentsOf([m], false).map((s) => s.kind)
  expect(kinds(message)).toEqual(['asks'])
  expect(kinds({ ...message, state: 'draft' })).toEqual(['text'])
  expect(kinds({ ...message, answers: 'model' })).toEqual(['text'])
})
