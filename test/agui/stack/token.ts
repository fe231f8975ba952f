import { createHmac, timingSafeEqual } from 'node:crypto'

/** The people of the host. The auditor may read and not write messages. */
export type Person = { sub: string; org: string; roles: string[] }

const encode = (v: unknown) => Buffer.from(JSON.stringify(v)).toString('base64url')
const mac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url')

/** Signs a token for a person, as the host's backend does for its session. */
export function sign(person: Person, secret: string, seconds = 3600): string {
  const now = Math.floor(Date.now() / 1000)
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ ...person, aud: 'steward', iat: now - 1, exp: now + seconds })}`
  return `${text}.${mac(text, secret)}`
}

/** Finds out who sends a request to the host's own API; null: nobody that it knows. */
export function verify(header: string | undefined, secret: string): Person | null {
  const [head, body, signature] = (header ?? '').replace(/^Bearer /, '').split('.')
  if (!head || !body || !signature) return null
  const want = Buffer.from(mac(`${head}.${body}`, secret))
  const got = Buffer.from(signature)
  if (want.length !== got.length || !timingSafeEqual(want, got)) return null
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Person & { exp: number }
  return claims.exp * 1000 > Date.now() ? claims : null
}
