import type { Token, Tokens } from 'marked'
import { blocksOf } from './markdown/blocks.ts'

/**
 * Takes a guide's text apart: lists of questions that can be asked as they stand, as lists of their words, and the texts
 * around them. A list with anything else in it stays text.
 */
export function askParts(text: string, starters: readonly string[]): (string | string[])[] {
  const parts: (string | string[])[] = []
  let written = ''
  for (const { raw, tokens } of blocksOf(text, false)) {
    const asks = questions(tokens[0], starters)
    if (asks === null) {
      written += `${written === '' ? '' : '\n\n'}${raw.trimEnd()}`
      continue
    }
    if (written !== '') parts.push(written)
    written = ''
    parts.push(asks)
  }
  if (written !== '') parts.push(written)
  return parts
}

/** The questions of a list; null for what is no list, or not of questions alone. */
function questions(token: Token | undefined, starters: readonly string[]): string[] | null {
  if (token?.type !== 'list') return null
  const asks = (token as Tokens.List).items.map((item) => plain(item.tokens).trim())
  return asks.every((ask) => /[?？؟]$/.test(ask) || starters.includes(ask)) ? asks : null
}

/** The words of tokens, without marks. */
function plain(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text } = token as { tokens?: Token[]; text?: string }
      return inner ? plain(inner) : (text ?? '')
    })
    .join('')
}
