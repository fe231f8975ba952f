/** A dispatched event of a stream: its own id, or the empty string where it has none, and its data. */
export interface StreamMessage {
  id: string
  data: string
}

/**
 * Splits a text/event-stream as it arrives (WHATWG HTML, "Interpreting an event stream"), cut anywhere. Unlike
 * EventSource it gives an event only the id of its own: one without stands at no place of the conversation.
 */
export class EventStream {
  #rest = ''
  #data: string[] = []
  #id = ''
  #begun = false

  /** Takes more text; gives the events that it completes. */
  feed(text: string): StreamMessage[] {
    if (!this.#begun && text !== '') {
      this.#begun = true
      if (text.startsWith('\ufeff')) text = text.slice(1)
    }
    this.#rest += text
    const made: StreamMessage[] = []
    let from = 0
    for (;;) {
      const end = this.#rest.slice(from).search(/[\r\n]/)
      if (end < 0) break
      const at = from + end
      // The line feed of a pair may only come with the next text.
      if (this.#rest[at] === '\r' && at + 1 === this.#rest.length) break
      const line = this.#rest.slice(from, at)
      from = at + (this.#rest.startsWith('\r\n', at) ? 2 : 1)
      if (line !== '') this.#field(line)
      else if (this.#data.length > 0) made.push(this.#take())
      else this.#id = ''
    }
    this.#rest = this.#rest.slice(from)
    return made
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
  }

  #take(): StreamMessage {
    const message = { id: this.#id, data: this.#data.join('\n') }
    this.#data = []
    this.#id = ''
    return message
  }
}
