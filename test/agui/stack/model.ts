/** What a test has the model answer to one request. */
export type Reply = {
  think?: string
  say?: string
  calls?: { tool: string; input: Record<string, unknown> }[]
  /** Passes between two words, in milliseconds. */
  paceMs?: number
  /** The event of Anthropic's stream before which it stops until release: message_start is 0, a text's n-th word n + 1. */
  hold?: number
  fault?: { status: number; type: string; message?: string }
  end?: { way: 'cut' | 'fail' | 'close'; after?: number; fault?: { type: string; message?: string } }
}

/** A request of Anthropic's Messages API, as far as tests look at it. */
export type Asked = {
  system: unknown
  tools?: { name: string; description: string; input_schema: unknown }[]
  messages: { role: 'user' | 'assistant'; content: string | { type: string; [member: string]: unknown }[] }[]
}

/** What the model was asked since its script was set. */
export type Seen = { requests: Asked[]; refused: Record<string, number>; active: number }

/** The scripted model, in the hands of a test. */
export class Model {
  constructor(readonly url: string) {}

  /** Says what the next requests get, in their order; whatever comes behind the last is an error of the model. */
  async script(...replies: Reply[]): Promise<void> {
    await this.#call('/script', { method: 'POST', body: JSON.stringify({ replies }) })
  }

  /** Lets replies go on that hold. */
  async release(): Promise<void> {
    await this.#call('/release', { method: 'POST' })
  }

  async seen(): Promise<Seen> {
    return (await (await this.#call('/seen')).json()) as Seen
  }

  /** Waits until so many requests have come. */
  async until(requests: number): Promise<Seen> {
    return (await (await this.#call(`/until?requests=${requests}`)).json()) as Seen
  }

  async #call(path: string, init?: RequestInit): Promise<Response> {
    const answer = await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(20_000) })
    if (!answer.ok) throw new Error(`model ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
}
