import { Lexer, type Token } from 'marked'

/** A block of a text: what it was written as, and what it was read as. */
export interface Block {
  raw: string
  tokens: Token[]
}

const options = { gfm: true, breaks: false, pedantic: false } as const

/**
 * Splits a text into its blocks. While it is still being written, what could turn into something else with the next
 * character is held back or closed, so that nothing that stands on the screen changes its kind or moves.
 */
export function blocksOf(text: string, writing: boolean): Block[] {
  const lexer = new Lexer(options)
  const tokens = lexer.lex(writing ? settled(text) : text)
  return tokens.filter((t) => t.type !== 'space' && t.type !== 'def').map((token) => ({ raw: token.raw, tokens: [token] }))
}

/** The text without the part of its end that is not yet decided, and with what is open in its last block closed. */
export function settled(text: string): string {
  // The end of a fence comes mark by mark, and is no code.
  if (insideFence(text)) return text.replace(/\n {0,3}(?:`{1,}|~{1,})$/, '')
  const cut = text.lastIndexOf('\n\n')
  const start = cut < 0 ? 0 : cut + 2
  return text.slice(0, start) + closeInline(holdBack(text.slice(start)))
}

/** Whether the end of the text stands inside a fenced block of code. */
function insideFence(text: string): boolean {
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (!mark) continue
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
  }
  return fence !== ''
}

/** Takes away a last line that only begins something: a rule, a heading's underline, a list's mark, a table's head. */
function holdBack(block: string): string {
  const lines = block.split('\n')
  const last = lines.at(-1) ?? ''
  if (/^\s*(?:[-=*_+>#|:\s]+|\d{1,9}[.)]?\s*|`{1,3}\w*|~{1,3})$/.test(last)) lines.pop()
  // A row of bars is a table only once the line of dashes under it has come.
  const bar = lines.findIndex((line) => /^\s*\|/.test(line))
  if (bar >= 0 && !/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[bar + 1] ?? '')) lines.length = bar
  return lines.join('\n')
}

/** Closes emphasis and code that is open at the end, and holds back a link that is not whole. */
function closeInline(block: string): string {
  // The writing is in the last item of a list or row of a table, or else anywhere in the paragraph.
  const begins = [...block.matchAll(/^(?:\s*(?:[-*+]|\d{1,9}[.)])\s|\s*[>|]| {0,3}#{1,6}\s)/gm)].at(-1)
  const at = begins?.index ?? 0
  let line = block.slice(at)
  const ticks = line.match(/`+/g) ?? []
  if (ticks.length % 2 === 1) {
    const open = ticks.at(-1) ?? ''
    return line.endsWith(open) ? block.slice(0, block.length - open.length) : block + open
  }
  line = line.replace(/!?\[[^\][]*$|!?\[([^\][]*)\]\([^()\s]*(?:\s+[^()]*)?$|!?\[[^\][]*\]$/, (whole, label?: string) => (label ?? whole.replace(/^!?\[|\]$/g, '')))
  line = line.replace(/<[^<>]*$/, '')
  line = line.replace(/(?<![\\*_])(?:\*{1,3}|_{1,3}|~{1,2})$/, (mark, index: number) => (opens(line.slice(0, index), mark) ? '' : mark))
  for (const mark of ['**', '__', '~~', '*', '_']) {
    const bare = line.replaceAll('**', mark === '*' ? '' : '**').replaceAll('__', mark === '_' ? '' : '__')
    const count = bare.split(mark).length - 1
    if (count % 2 === 1 && new RegExp(`(?:^|[\\s(])${escape(mark)}\\S`).test(bare)) line = line.trimEnd() + mark
  }
  return block.slice(0, at) + line
}

/** Whether a mark at the end begins emphasis, rather than ends one that is open. */
function opens(before: string, mark: string): boolean {
  return (before.split(mark).length - 1) % 2 === 0
}

function escape(mark: string): string {
  return mark.replace(/[*~]/g, '\\$&')
}
