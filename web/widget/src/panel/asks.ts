import type { Token, Tokens } from 'marked'
import { blocksOf } from './markdown/blocks.ts'
import { wordsOf } from './markdown/plain.ts'

/**
 * Takes a guide's text apart: lists of what can be asked as it stands, as lists of their words, and the texts around
 * them. Beside what was looked up a list with anything but questions in it stays text. Where nothing was looked up there
 * are no records to list: each list offers, whether or not its lines end as questions do.
 */
export function askParts(text: string, starters: readonly string[], lookedUp: boolean): (string | string[])[] {
  const parts: (string | string[])[] = []
  let written = ''
  for (const { raw, tokens } of blocksOf(text, false)) {
    const lines = linesOf(tokens[0])
    if (lines === null || (lookedUp && !lines.every((line) => /[?？؟]$/.test(line) || starters.includes(line)))) {
      written += `${written === '' ? '' : '\n\n'}${raw.trimEnd()}`
      continue
    }
    if (written !== '') parts.push(written)
    written = ''
    parts.push(lines)
  }
  if (written !== '') parts.push(written)
  return parts
}

/** The lines of a list; null for what is no list. */
function linesOf(token: Token | undefined): string[] | null {
  return token?.type === 'list' ? (token as Tokens.List).items.map((item) => wordsOf(item.tokens).trim()) : null
}
