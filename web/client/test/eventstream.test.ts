import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { EventStream, type StreamMessage } from '../src/eventstream.ts'
import { random } from './random.ts'

function read(text: string, cuts: number[]): StreamMessage[] {
  const stream = new EventStream()
  const out: StreamMessage[] = []
  let from = 0
  for (const cut of [...cuts, text.length]) {
    out.push(...stream.feed(text.slice(from, cut)))
    from = cut
  }
  return out
}

const cases: [string, string, StreamMessage[]][] = [
  ['an event', 'id: 3.1\ndata: {"a":1}\n\n', [{ id: '3.1', data: '{"a":1}' }]],
  ['no id is no old id', 'id: 1.1\ndata: a\n\ndata: b\n\n', [{ id: '1.1', data: 'a' }, { id: '', data: 'b' }]],
  ['an id without data is of no event', 'id: 1.1\n\ndata: b\n\n', [{ id: '', data: 'b' }]],
  ['comments', ': keep-alive\n\n: more\ndata: x\n\n', [{ id: '', data: 'x' }]],
  ['several lines', 'data: a\ndata: b\n\n', [{ id: '', data: 'a\nb' }]],
  ['one space only', 'data:  a\n\n', [{ id: '', data: ' a' }]],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ id: '', data: 'a' }, { id: '', data: 'b' }]],
  ['a byte order mark', '\ufeffdata: a\n\n', [{ id: '', data: 'a' }]],
  ['an unfinished event', 'data: a\n', []],
  ['unknown fields', 'event: x\nretry: 10\nfoo\ndata: a\n\n', [{ id: '', data: 'a' }]],
]

test.each(cases)('%s', (_, text, want) => {
  expect(read(text, [])).toEqual(want)
  for (let cut = 1; cut < text.length; cut++) expect(read(text, [cut])).toEqual(want)
})

test('any text, cut anywhere, gives the data that the reference parser gives', () => {
  const next = random(7)
  const parts = ['data: ', 'data:', 'id: 1.2', ': c', 'event: e', '\n', '\n\n', '\r\n', 'é', '{"x":"y"}', 'data', ' ']
  for (let round = 0; round < 400; round++) {
    const text = Array.from({ length: 30 }, () => parts[Math.floor(next() * parts.length)]).join('') + '\n\n'
    const want: string[] = []
    createParser({ onEvent: (event) => want.push(event.data) }).feed(text)
    const cuts = Array.from({ length: 5 }, () => Math.floor(next() * text.length)).sort((a, b) => a - b)
    expect(read(text, cuts).map((m) => m.data), JSON.stringify(text)).toEqual(want)
  }
})
