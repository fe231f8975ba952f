import type { ConversationState, ShownMessage } from './state.ts'

/** What a member said and what came of it, as a screen shows it. */
export interface ShownTurn {
  /** Stays the same while the turn is told, so that a screen can keep its place. */
  key: string
  /** Absent where the member's message is further up than what was loaded. */
  said?: ShownMessage
  replies: readonly ShownMessage[]
  running: boolean
}

/**
 * The turns of a conversation in order. A retry stands in place of the attempt that it repeats: both are in the log,
 * and people see the pair once.
 */
export function turnsOf(state: ConversationState): ShownTurn[] {
  const turns: OpenTurn[] = []
  for (const message of state.messages) {
    if (message.role === 'user') {
      const running = message.sending === true || message.turn?.state === 'running'
      const turn: OpenTurn = { key: message.id, said: message, replies: [], running }
      const repeated = message.retryOf === undefined ? -1 : turns.findIndex((t) => t.said?.id === message.retryOf)
      if (repeated >= 0) turns[repeated] = turn
      else turns.push(turn)
      continue
    }
    const owner =
      turns.findLast((t) => t.said !== undefined && t.said.turnId !== '' && t.said.turnId === message.turnId) ??
      (replacedTurn(state, message.turnId) ? undefined : (turns.at(-1) ?? newest(turns, message)))
    owner?.replies.push(message)
  }
  return turns
}

interface OpenTurn extends ShownTurn {
  replies: ShownMessage[]
}

function newest(turns: OpenTurn[], message: ShownMessage): OpenTurn {
  const turn: OpenTurn = { key: message.turnId || message.id, replies: [], running: false }
  turns.push(turn)
  return turn
}

/** Whether the turn is that of an attempt which a later message repeats. */
function replacedTurn(state: ConversationState, turnId: string): boolean {
  const said = state.messages.find((m) => m.role === 'user' && m.turnId === turnId)
  return said !== undefined && state.messages.some((m) => m.role === 'user' && m.retryOf === said.id)
}
