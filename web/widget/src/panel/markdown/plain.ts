import type { Token, Tokens } from 'marked'
import { blocksOf } from './blocks.ts'

/** A text as it is said aloud: its words in the order in which they stand, a line for each block, item and row. */
export function plainText(text: string): string {
  return blocksOf(text, false)
    .map(({ tokens }) => wordsOf(tokens))
    .filter(Boolean)
    .join('\n')
}

/** The words of tokens, without marks. */
export function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(words).join('')
}

function words(token: Token): string {
  switch (token.type) {
    case 'list':
      return (token as Tokens.List).items.map((item) => item.tokens.map(words).filter(Boolean).join('\n')).join('\n')
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.map(words).filter(Boolean).join('\n')
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((row) => row.map((cell) => wordsOf(cell.tokens)).join(', ')).join('\n')
    }
    case 'br':
      return '\n'
    case 'space':
    case 'hr':
    case 'checkbox':
    case 'def':
      return ''
    default: {
      const { tokens, text } = token as { tokens?: Token[]; text?: string }
      return tokens?.length ? wordsOf(tokens) : (text ?? '')
    }
  }
}
