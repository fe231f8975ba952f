import type { Tokens } from './tokens.ts'

/** The request never got an answer, or its answer broke off, or is nothing that Steward says. */
export class LineCut extends Error {
  constructor(url: string, cause?: unknown) {
    super(`no answer from ${url}`, { cause })
    this.name = 'LineCut'
  }
}

/** Whether the error is a LineCut, also one of another bundle of the same build. */
export function isLineCut(error: unknown): error is LineCut {
  return error instanceof Error && error.name === 'LineCut'
}

/** What Http needs. */
export interface HttpOptions {
  /** Where Steward is mounted, with its slash: "https://example.com/" or "https://example.com/assistant/". */
  base: string
  tokens: Tokens
  /** The locale of sentences, asked for with each request. */
  locale: () => string
  /** What is thrown for a response that is no good one: problemOf, where its words matter. */
  refused: (response: Response) => Promise<Error>
  fetch?: typeof fetch
}

/** One request. */
export interface Request {
  method?: 'GET' | 'POST' | 'DELETE'
  body?: unknown
  accept?: string
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Goes without a token. */
  open?: boolean
}

/** Sends requests to Steward with the member's token, asked for again once when it is refused. */
export class Http {
  readonly base: string
  readonly tokens: Tokens
  readonly #locale: () => string
  /** What is thrown for a response that is no good one. */
  refused: (response: Response) => Promise<Error>
  readonly #fetch: typeof fetch

  constructor(options: HttpOptions) {
    this.base = options.base
    this.tokens = options.tokens
    this.#locale = options.locale
    this.refused = options.refused
    this.#fetch = options.fetch ?? ((...args) => fetch(...args))
  }

  /** The response, when it is a good one. Throws what `refused` makes of it, LineCut, or the signal's own reason. */
  async send(path: string, request: Request = {}): Promise<Response> {
    const token = request.open ? null : await this.tokens.get()
    if (token === null && !request.open) throw await this.refused(new Response(null, { status: 401 }))
    let response = await this.#once(path, request, token)
    if (response.status === 401 && !request.open) {
      const fresh = await this.tokens.renew(token)
      if (fresh && fresh !== token) {
        await response.body?.cancel()
        response = await this.#once(path, request, fresh)
      }
    }
    if (!response.ok) throw await this.refused(response)
    return response
  }

  /** The response's JSON. */
  async json<T>(path: string, request: Request = {}): Promise<T> {
    const response = await this.send(path, request)
    try {
      return (await response.json()) as T
    } catch (error) {
      throw new LineCut(response.url, error)
    }
  }

  async #once(path: string, request: Request, token: string | null): Promise<Response> {
    const headers: Record<string, string> = { Accept: request.accept ?? 'application/json', 'X-Locale': this.#locale(), ...request.headers }
    if (token) headers['Authorization'] = `Bearer ${token}`
    const init: RequestInit = { method: request.method ?? 'GET', headers, credentials: 'omit', redirect: 'error', signal: request.signal ?? null }
    if (request.body !== undefined) {
      headers['Content-Type'] = 'application/json'
      init.body = JSON.stringify(request.body)
    }
    const url = this.base + path
    try {
      return await this.#fetch(url, init)
    } catch (error) {
      request.signal?.throwIfAborted()
      throw new LineCut(url, error)
    }
  }
}
