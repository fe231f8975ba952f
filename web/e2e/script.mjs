// Conversations of the fake server. A turn is a list of steps, made from the words of its message; each step is told to
// those who follow, after a pause. What has been told can be told again from any event id, as the real server does.
import { randomUUID } from 'node:crypto'
import { stepsFor } from './turns.mjs'

export class Conversations {
  #all = new Map()

  get(id) {
    return this.#all.get(id)
  }

  erase(id) {
    this.#all.delete(id)
  }

  /** Lets the turns that are held go on. */
  go() {
    for (const conversation of this.#all.values()) conversation.go()
  }

  list() {
    const conversations = [...this.#all.values()].map((c) => c.summary()).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    return { conversations }
  }

  post(id, body, request, response, { guided, problem, locale }) {
    const text = body.text ?? ''
    if (text.startsWith('refuse:quota')) return problem(response, 429, 'quota_exceeded', 'That was 20 messages this hour. Your text stays here.', 'wait', { 'Retry-After': '600' })
    if (text.startsWith('refuse:internal')) return problem(response, 500, 'internal', 'Nothing was changed. Quote the trace to support.', 'retry')
    if (!this.#all.has(id)) this.#all.set(id, new Conversation(id))
    const conversation = this.#all.get(id)
    const same = conversation.messages.find((m) => m.id === body.id)
    if (same === undefined) {
      if (conversation.running) return problem(response, 409, 'turn_in_progress', 'An answer is still being written.', 'wait')
      conversation.begin(body, body.engine === 'guide' || guided, locale)
    }
    conversation.follow(request, response, conversation.turnHead)
  }
}

class Conversation {
  messages = []
  running = false
  title = ''
  seq = 0
  n = 0
  log = [] // { id, event } of the turn that runs
  turnHead = ''
  #followers = new Set()
  #createdAt = new Date().toISOString()
  #cancelled = false
  #wake = undefined
  #holding = false
  #toldEarly = false

  constructor(id) {
    this.id = id
  }

  summary() {
    return { id: this.id, title: this.title, state: this.running ? 'running' : 'resting', createdAt: this.#createdAt, updatedAt: this.messages.at(-1)?.createdAt ?? this.#createdAt }
  }

  page(url) {
    const before = Number(url.searchParams.get('before') ?? Infinity)
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 60), 60)
    const older = this.messages.filter((m) => m.seq < before)
    const messages = older.slice(-limit)
    const more = older.length > messages.length ? { before: messages[0].seq } : {}
    return { ...this.summary(), messages, head: `${this.seq}.0`, ...more }
  }

  begin(body, guided, locale) {
    this.running = true
    this.#cancelled = false
    const turnId = randomUUID()
    const answers = guided ? 'guide' : 'model'
    const said = {
      id: body.id, seq: ++this.seq, role: 'user', turnId, createdAt: new Date().toISOString(), text: body.text,
      ...(body.retryOf ? { retryOf: body.retryOf } : {}), ...(body.page ? { page: { title: body.page.title, route: body.page.route } } : {}),
      turn: { id: turnId, state: 'running', answers, ...(guided ? { guideReason: 'no_key' } : { provider: 'anthropic', model: 'claude-sonnet-5' }) },
    }
    this.messages.push(said)
    this.n = 0
    this.log = []
    this.turnHead = `${this.seq}.0`
    this.#tell({ type: 'RUN_STARTED', threadId: this.id, runId: turnId })
    this.#custom('steward.meta', { turnId, conversationId: this.id, messageId: body.id, answers, ...(guided ? { guideReason: 'no_key' } : { provider: 'anthropic', model: 'claude-sonnet-5' }), rail: guided ? 'none' : 'operator', persona: 'Harbour' })
    if (this.title === '') {
      this.title = body.text.split('\n')[0].slice(0, 64)
      this.#custom('steward.title', { title: this.title })
    }
    void this.#run(said, stepsFor(body, { guided, retry: Boolean(body.retryOf), locale, page: body.page }), turnId, answers)
  }

  cancel() {
    if (!this.running) return false
    this.#cancelled = true
    this.#wake?.()
    return true
  }

  /** Lets a turn that is held go on. */
  go() {
    if (this.#holding) this.#wake?.()
    else this.#toldEarly = this.running // a test saw the words before the place where it is held
  }

  async #run(said, steps, turnId, answers) {
    let draft = null
    const settled = []
    const settle = (state) => {
      if (draft === null) return
      const message = { ...draft, state, seq: ++this.seq, createdAt: new Date().toISOString() }
      this.n = 0
      this.messages.push(message)
      settled.push(message)
      draft = null
      return message
    }
    let open = null
    let end = { outcome: 'completed' }
    for (const step of steps) {
      if (step.wait) await this.#pause(step.wait)
      if (step.hold) await this.#hold()
      if (this.#cancelled) break
      if (step.text !== undefined) {
        if (draft === null) {
          draft = { id: randomUUID(), seq: 0, role: 'assistant', turnId, text: '', answers, state: 'draft' }
          this.#tell({ type: 'TEXT_MESSAGE_START', messageId: draft.id, role: 'assistant' })
        }
        draft.text += step.text
        this.#tell({ type: 'TEXT_MESSAGE_CONTENT', messageId: draft.id, delta: step.text })
      } else if (step.settle) {
        const id = draft?.id
        open = settle('whole')
        if (open) this.#tell({ type: 'TEXT_MESSAGE_END', messageId: id })
      } else if (step.call) {
        if (draft !== null) {
          this.#tell({ type: 'TEXT_MESSAGE_END', messageId: draft.id })
          open = settle('whole')
        }
        if (!open) {
          draft = { id: randomUUID(), seq: 0, role: 'assistant', turnId, text: '', answers, state: 'draft' }
          open = settle('whole')
        }
        const call = { id: randomUUID(), name: step.call.name, label: step.call.label, state: 'running', durationMs: 0, args: JSON.stringify(step.call.args ?? {}) }
        open.calls = [...(open.calls ?? []), call]
        this.#tell({ type: 'TOOL_CALL_START', toolCallId: call.id, toolCallName: call.name, parentMessageId: open.id })
        this.#tell({ type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta: call.args })
        this.#tell({ type: 'TOOL_CALL_END', toolCallId: call.id })
        this.#custom('steward.tool_started', { toolCallId: call.id, label: call.label })
        await (step.call.hold ? this.#hold() : this.#pause(step.call.ms))
        if (this.#cancelled) {
          Object.assign(call, { state: 'failed', code: 'aborted', sentence: 'Stopped before it was read.' })
          break
        }
        const { content, code, sentence, table } = step.call
        Object.assign(call, { state: code ? 'failed' : 'succeeded', durationMs: step.call.ms, content, ...(code ? { code, sentence } : {}), ...(table ? { table } : {}) })
        this.#tell({ type: 'TOOL_CALL_RESULT', messageId: open.id, toolCallId: call.id, content: content ?? '' })
        this.#custom('steward.tool_result', { toolCallId: call.id, ok: !code, ...(code ? { code, sentence } : {}), durationMs: step.call.ms, undoOffered: false, ...(table ? { table } : {}) })
      } else if (step.links) {
        if (draft !== null) draft.links = step.links
      } else if (step.next) {
        open = null
      } else if (step.cut) {
        for (const response of this.#followers) response.destroy()
        this.#followers.clear()
      } else if (step.end) {
        end = step.end
      }
    }
    if (this.#cancelled) end = { outcome: 'cancelled', code: 'aborted', message: 'What was said stays. Nothing else will run.', action: 'go_on' }
    if (draft !== null) {
      if (end.outcome === 'completed') this.#tell({ type: 'TEXT_MESSAGE_END', messageId: draft.id })
      settle(end.outcome === 'completed' ? 'whole' : end.outcome === 'cancelled' ? 'stopped' : end.outcome === 'truncated' ? 'cut' : 'interrupted')
    }
    const usage = answers === 'guide'
      ? { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, rounds: 0 }
      : { inputTokens: 452, outputTokens: 212, cacheReadTokens: 8960, cacheWriteTokens: 0, rounds: 2 }
    said.turn = { ...said.turn, state: 'ended', outcome: end.outcome, usage, traceId: '0af7651916cd43dd8448eb217f3a91c0', ...(end.code ? { code: end.code, message: end.message, action: end.action } : {}) }
    const messages = structuredClone([said, ...settled])
    const result = {
      turnId, messageId: said.id, text: settled.map((m) => m.text).filter(Boolean).join('\n\n'), messages, usage, answers, outcome: end.outcome, traceId: said.turn.traceId,
      ...(answers === 'model' ? { provider: 'anthropic', model: 'claude-sonnet-5' } : {}), ...(end.code ? { code: end.code } : {}),
    }
    this.running = false
    if (answers === 'model') this.#custom('steward.usage', usage)
    const kind = end.outcome === 'completed' || end.outcome === 'cancelled' ? { type: 'RUN_FINISHED', outcome: { type: end.outcome === 'cancelled' ? 'cancelled' : 'success' } } : { type: 'RUN_ERROR', message: end.message, code: end.code, traceId: said.turn.traceId, action: end.action }
    this.#tell({ ...kind, threadId: this.id, runId: turnId, result })
    for (const response of this.#followers) response.end()
    this.#followers.clear()
  }

  follow(request, response, from) {
    const last = from ?? request.headers['last-event-id'] ?? ''
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    const [seq, n] = last === '' ? [0, 0] : last.split('.').map(Number)
    const missed = this.log.filter((e) => e.seq > seq || (e.seq === seq && e.n > n))
    if (!this.running && from === undefined) {
      for (const message of this.messages.filter((m) => m.seq > seq)) write(response, '', { type: 'CUSTOM', name: 'steward.message', value: { message } })
      write(response, '', { type: 'CUSTOM', name: 'steward.caught_up', value: {} })
      return response.end()
    }
    for (const { seq: s, n: m, event } of missed) write(response, `${s}.${m}`, event)
    if (!this.running) return response.end()
    write(response, '', { type: 'CUSTOM', name: 'steward.caught_up', value: {} })
    this.#followers.add(response)
    response.on('close', () => this.#followers.delete(response))
  }

  #custom(name, value) {
    this.#tell({ type: 'CUSTOM', name, value })
  }

  #tell(event) {
    const entry = { seq: this.seq, n: ++this.n, event: structuredClone(event) }
    this.log.push(entry)
    for (const response of this.#followers) write(response, `${entry.seq}.${entry.n}`, event)
  }

  /** Waits until a test says go, or the turn is stopped. */
  async #hold() {
    if (!this.#toldEarly) {
      this.#holding = true
      await new Promise((resolve) => {
        this.#wake = resolve
      })
      this.#holding = false
    }
    this.#toldEarly = false
  }

  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function write(response, id, event) {
  response.write(`${id === '' ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`)
}
