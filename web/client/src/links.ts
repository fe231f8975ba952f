import type { NavEntry } from './wire.ts'

/** Where a link of a reply may lead. */
export type Target = { kind: 'page'; path: string } | { kind: 'origin'; url: string }

/** What links are allowed: the host's own pages, and origins that its file names. */
export interface LinkRules {
  /** The page's own origin. */
  origin: string
  nav: readonly NavEntry[]
  linkOrigins: readonly string[]
}

/** Where a link leads, if it may; null makes it plain text. */
export function linkTarget(href: string, rules: LinkRules): Target | null {
  // Browsers drop tabs and newlines in a URL and read a backslash as a slash: what needs that is no honest link.
  if (/[\u0000-\u0020\\\u007f]/.test(href.trim()) || href.trim() === '') return null
  let url: URL
  try {
    url = new URL(href.trim(), rules.origin + '/')
  } catch {
    return null
  }
  if (url.username !== '' || url.password !== '') return null
  if (url.origin === rules.origin && (url.protocol === 'http:' || url.protocol === 'https:')) {
    if (!href.trim().startsWith('/') && !href.trim().startsWith(rules.origin + '/')) return null
    if (!rules.nav.some((entry) => fits(entry.path, url.pathname))) return null
    return { kind: 'page', path: url.pathname + url.search + url.hash }
  }
  if (url.protocol !== 'https:' || !rules.linkOrigins.includes(url.origin)) return null
  return { kind: 'origin', url: url.href }
}

/** The nav entry of a route; one without braces goes before one with. */
export function navEntryOf(path: string, nav: readonly NavEntry[]): NavEntry | undefined {
  return nav.find((entry) => trim(entry.path) === trim(path)) ?? nav.find((entry) => fits(entry.path, path))
}

/** Whether a path is one of a pattern's, segment by segment. */
export function fits(pattern: string, path: string): boolean {
  const want = trim(pattern).split('/')
  const got = trim(path).split('/')
  return want.length === got.length && want.every((segment, i) => segment === got[i] || (/^\{[^}]+\}$/.test(segment) && got[i] !== ''))
}

function trim(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path
}
