import type { App } from './app.ts'
import { plainText } from './markdown/plain.ts'

/** What was last said to those who listen. */
export interface Spoken {
  running: boolean
  polite: string
  assertive: string
}

/** What to say now: that work began, the whole reply once it has ended, and a fault at once. */
export function announcement(app: App, before: Spoken): Spoken {
  const { state, problem, line } = app.view
  const { words } = app
  const running = state.phase === 'running'
  const fault = problem ? words.title(problem.code) + '. ' + (problem.sentence || words.text(`code.${problem.code}.message`)) : ''
  if (running) {
    const polite = line === 'dropped' ? words.text('ui.droppedTitle') : words.text(app.guided ? 'ui.lookingUp' : 'ui.working')
    return { running, polite, assertive: fault }
  }
  if (!before.running) return { running, polite: before.polite, assertive: fault || (problem ? '' : before.assertive) }
  const said = state.messages.findLast((m) => m.role === 'user')
  const reply = state.messages.filter((m) => m.role === 'assistant' && m.turnId === said?.turnId).map((m) => plainText(m.text))
  const ended = said?.turn?.code ? `${words.title(said.turn.code)}. ${said.turn.message ?? ''}` : ''
  return { running, polite: reply.join('\n').trim(), assertive: fault || ended }
}
