import type { Table } from '../../../client/src/event.gen.ts'
import type { ShownCall, ShownMessage } from '../../../client/src/state.ts'
import type { PageLink } from '../../../client/src/wire.ts'
import { askParts } from './asks.ts'

/** A part of what came of a message, in the order in which it is read. */
export type Segment =
  | { kind: 'calls'; key: string; calls: ShownCall[] }
  | { kind: 'text'; message: ShownMessage; text: string; followed: boolean }
  | { kind: 'asks'; asks: string[] }
  | { kind: 'cut' }
  | { kind: 'table'; key: string; table: Table; label: string }
  | { kind: 'links'; links: PageLink[] }

/**
 * Puts replies into parts: calls that follow each other without words between them are one group. A guide says what it
 * read before it says what it found, and shows that at the end; a model speaks, then reads.
 */
export function segmentsOf(replies: readonly ShownMessage[], running: boolean, starters: readonly string[] = []): Segment[] {
  const segments: Segment[] = []
  const found: Segment[] = []
  const lookedUp = replies.some((message) => Boolean(message.calls?.length))
  replies.forEach((message, i) => {
    const guided = message.answers === 'guide'
    const calls = message.calls ?? []
    if (guided) addCalls(segments, message.id, calls)
    const followed = i < replies.length - 1
    if (guided && message.state !== 'draft' && message.text !== '') {
      for (const part of askParts(message.text, starters, lookedUp)) {
        segments.push(typeof part === 'string' ? { kind: 'text', message, text: part, followed } : { kind: 'asks', asks: part })
      }
    } else if (message.text !== '') segments.push({ kind: 'text', message, text: message.text, followed })
    else if (message.state === 'cut') segments.push({ kind: 'cut' })
    if (!guided) addCalls(segments, message.id, calls)
    if (message.table) found.push({ kind: 'table', key: `table-${message.id}`, table: message.table, label: '' })
    else if (guided && !running) {
      for (const { id, table, label } of calls) if (table) found.push({ kind: 'table', key: `table-${id}`, table, label })
    }
    if (message.links?.length) found.push({ kind: 'links', links: message.links })
  })
  return [...segments, ...found]
}

function addCalls(segments: Segment[], key: string, calls: ShownCall[]): void {
  if (calls.length === 0) return
  const last = segments.at(-1)
  if (last?.kind === 'calls') last.calls = [...last.calls, ...calls]
  else segments.push({ kind: 'calls', key: `calls-${key}`, calls })
}
