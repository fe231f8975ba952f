/** What is kept: whose it is, and the words that stand in each conversation's field; '' is one that is not yet stored. */
interface Kept {
  person: string
  texts: Record<string, string>
}

/**
 * Keeps what a member has written and not yet sent over a load of the page: in this tab's session storage, and only what
 * stands in the field. Another member finds nothing of it.
 */
export class Drafts {
  readonly #key: string
  readonly #kept: Kept

  /** `base` is where Steward is mounted; `person` tells one member from another. */
  constructor(base: string, person: string) {
    this.#key = `steward ${base} draft`
    this.#kept = { person, texts: {} }
    try {
      const before = JSON.parse(sessionStorage.getItem(this.#key) ?? '') as Kept
      if (before.person === person) this.#kept.texts = { ...before.texts }
      else sessionStorage.removeItem(this.#key)
    } catch {
      // Nothing was kept, or storage is closed to this page.
    }
  }

  /** What was written in a conversation. */
  read(conversation: string): string {
    const text: unknown = this.#kept.texts[conversation]
    return typeof text === 'string' ? text : ''
  }

  /** Keeps what is written now; '' forgets it. */
  write(conversation: string, text: string): void {
    if (this.read(conversation) === text) return
    const { texts } = this.#kept
    if (text === '') delete texts[conversation]
    else texts[conversation] = text
    try {
      if (Object.keys(texts).length === 0) sessionStorage.removeItem(this.#key)
      else sessionStorage.setItem(this.#key, JSON.stringify(this.#kept))
    } catch {
      // As above: it is then lost with the page.
    }
  }
}

/** A short sign of who a token is for: its subject's hash, or that of `otherwise` where it names none. */
export function personOf(token: string | null, otherwise: string): string {
  return hash(subjectOf(token) || otherwise)
}

/** The subject of a JSON Web Token (RFC 7519, section 4.1.2). Only told apart by it, so that its signature does not matter. */
function subjectOf(token: string | null): string {
  try {
    const body = (token ?? '').split('.')[1] ?? ''
    const claims = JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown; org?: unknown }
    return typeof claims.sub === 'string' ? `${claims.sub} ${typeof claims.org === 'string' ? claims.org : ''}` : ''
  } catch {
    return '' // a token of another kind
  }
}

/** FNV-1a over UTF-16 units, 32 bits. */
function hash(text: string): string {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return (h >>> 0).toString(16)
}
