import { expect, test } from 'vitest'
import { askParts } from '../src/panel/asks.ts'
import { segmentsOf } from '../src/panel/segments.ts'
import type { ShownMessage } from '../../client/src/state.ts'

const before: [string, string, (string | string[])[]][] = [
  ['questions and an order', 'These come close:\n\n- Show appointments on tomorrow\n- Who is free?', ['These come close:', ['Show appointments on tomorrow', 'Who is free?']]],
  ['orders alone', 'Which one?\n\n- visits of Dana\n- bookings of Dana', ['Which one?', ['visits of Dana', 'bookings of Dana']]],
  ['Hebrew without marks', 'א:\n\n- הצג תורים מחר\n- מי פנוי', ['א:', ['הצג תורים מחר', 'מי פנוי']]],
  ['no list', 'One.\n\nTwo?', ['One.\n\nTwo?']],
]

test.each(before)('with nothing looked up every list offers: %s', (_, text, want) => {
  expect(askParts(text, [], false)).toEqual(want)
})

test.each<[string, string, (string | string[])[]]>([
  ['questions', 'These come close:\n\n- Who is booked\\?\n- Which *classes* are full?', ['These come close:', ['Who is booked?', 'Which classes are full?']]],
  ['Hebrew and a text after', 'א:\n\n- מי רשום?\n\nסוף.', ['א:', ['מי רשום?'], 'סוף.']],
  ['a starter without a mark', '- Leads that wait', [['Leads that wait']]],
  ['a list of records', 'Found:\n\n- Hila Tzur\n- Who?', ['Found:\n\n- Hila Tzur\n- Who?']],
  ['no list', 'One.\n\nTwo?', ['One.\n\nTwo?']],
])('%s', (_, text, want) => {
  expect(askParts(text, ['Leads that wait'], true)).toEqual(want)
})

test('only a guide’s list of questions is pressed, and only once it is whole', () => {
  const message: ShownMessage = { id: 'a', seq: 2, role: 'assistant', turnId: 't', createdAt: '', text: '- Who?', state: 'whole', answers: 'guide' }
  const kinds = (m: ShownMessage) => segmentsOf([m], false).map((s) => s.kind)
  expect(kinds(message)).toEqual(['asks'])
  expect(kinds({ ...message, state: 'draft' })).toEqual(['text'])
  expect(kinds({ ...message, answers: 'model' })).toEqual(['text'])
})

test('what a look-up found is no offer', () => {
  const message: ShownMessage = { id: 'a', seq: 2, role: 'assistant', turnId: 't', createdAt: '', text: '- Rope\n- Mat', state: 'whole', answers: 'guide' }
  const call = { id: 'c', name: 'gear', label: 'Reading', state: 'succeeded' as const, durationMs: 1 }
  const kinds = (...replies: ShownMessage[]) => segmentsOf(replies, false).map((s) => s.kind)
  expect(kinds(message)).toEqual(['asks'])
  expect(kinds({ ...message, calls: [call] })).toEqual(['calls', 'text'])
  expect(kinds({ ...message, id: 'b', text: '', calls: [call] }, message)).toEqual(['calls', 'text'])
})
