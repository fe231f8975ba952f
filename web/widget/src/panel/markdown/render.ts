import purifier, { type Config } from 'dompurify'
import { Parser, Renderer, type Tokens } from 'marked'
import { linkTarget, type LinkRules } from '../../../../client/src/links.ts'
import type { Block } from './blocks.ts'

/** What a reply may consist of. No image, no class, no style, no address but a link's, which is looked at again. */
const allowed: Config = {
  ALLOWED_TAGS: ['p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote', 'hr', 'a', 'h3', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ALLOWED_ATTR: ['href', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** HTML that a model wrote is text; a picture is its description. Nothing is loaded for a reply. */
class PlainRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text)
  }

  override image({ text }: Tokens.Image): string {
    return escapeHtml(text)
  }

  // One level for all: a reply is a part of the panel, and its writer does not know under which heading it stands.
  override heading({ tokens }: Tokens.Heading): string {
    return `<h3>${this.parser.parseInline(tokens)}</h3>`
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ '
  }
}

/** Turns blocks into nodes, through the sanitiser and the rules for links. */
export class MarkdownRenderer {
  readonly #parser = new Parser({ renderer: new PlainRenderer(), gfm: true })
  readonly #rules: LinkRules

  constructor(rules: LinkRules) {
    this.#rules = rules
  }

  /** A block's nodes. */
  render(block: Block): DocumentFragment {
    const html = this.#parser.parse(block.tokens)
    // One sanitiser for all replies: each makes a Trusted Types policy, of which a page may allow only one by that name.
    const fragment = purifier.sanitize(html, allowed) as unknown as DocumentFragment
    for (const link of fragment.querySelectorAll('a')) this.#direct(link)
    for (const part of fragment.children) part.setAttribute('dir', 'auto')
    for (const code of fragment.querySelectorAll('pre,code')) code.setAttribute('dir', 'ltr')
    for (const wide of fragment.querySelectorAll('pre,table')) frame(wide)
    return fragment
  }

  #direct(link: HTMLAnchorElement): void {
    const target = linkTarget(link.getAttribute('href') ?? '', this.#rules)
    if (target === null) {
      link.replaceWith(...link.childNodes)
      return
    }
    if (target.kind === 'page') {
      link.setAttribute('href', target.path)
      return
    }
    link.setAttribute('href', target.url)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
}

/** What is wider than the panel scrolls by itself, also by keyboard. */
function frame(wide: Element): void {
  const box = document.createElement('div')
  box.className = 'wide'
  box.tabIndex = 0
  box.setAttribute('role', 'group')
  wide.replaceWith(box)
  box.append(wide)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}
