/** Gives the host's token for its own session; null where nobody is signed in. */
export type TokenSource = () => Promise<string | null> | string | null

/**
 * Holds a token in memory and nowhere else. Concurrent callers share one question to the source.
 */
export class Tokens {
  readonly #source: TokenSource
  readonly #failed: (error: Error) => void
  #held: Promise<string | null> | undefined

  /** `failed` is told what the source throws: there is then no token, and whoever set it up should know. */
  constructor(source: TokenSource, failed: (error: Error) => void) {
    this.#source = source
    this.#failed = failed
  }

  /** The token in hand, asked for where there is none; null where the source has none. */
  get(): Promise<string | null> {
    this.#held ??= this.#ask()
    return this.#held
  }

  /** Asks anew, unless `stale` is no longer the token in hand, so that many refusals of one token ask once. */
  async renew(stale: string | null): Promise<string | null> {
    const held = await this.get()
    if (held === stale) this.#held = undefined
    return this.get()
  }

  /** Sets the token aside, as when another member signs in. */
  forget(): void {
    this.#held = undefined
  }

  async #ask(): Promise<string | null> {
    try {
      const token = await this.#source()
      if (typeof token === 'string' && token) return token
    } catch (error) {
      // It is asked again with the next request.
      this.#failed(error as Error)
    }
    this.#held = undefined
    return null
  }
}

/**
 * A source that asks an endpoint of the page's own origin, which answers `{token}`: null or empty where nobody is signed
 * in. It throws an error that names the endpoint where that answers anything else.
 */
export function tokenFrom(url: string, ask: typeof fetch = fetch): TokenSource {
  return async () => {
    const response = await ask(url, { headers: { Accept: 'application/json' } })
    if (!response.ok) throw Error(`${url} answered ${response.status}`)
    const body = (await response.json().catch(() => {
      throw Error(`${url} answered no JSON`)
    })) as { token?: string | null } | null
    if (body?.token === undefined) throw Error(`${url} answered without "token"`)
    return body.token
  }
}
