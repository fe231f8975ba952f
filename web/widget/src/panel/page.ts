import type { PageContext } from '../../../client/src/wire.ts'

const maxHeadings = 20
const maxHeading = 120
const maxSelection = 1000
const hidden = '[data-assistant-private],steward-assistant,input,textarea,select,[contenteditable]:not([contenteditable="false"])'

/**
 * What the page tells with a message: where it is, what it is called, what is selected. Nothing that stands under
 * data-assistant-private, and nothing that was typed, is among it.
 */
export function collectPage(locale: string): PageContext {
  const page: PageContext = {
    route: location.pathname,
    title: document.title.slice(0, 200),
    locale,
    viewport: { width: innerWidth, height: innerHeight },
  }
  const headings = headingsOf(document)
  if (headings.length > 0) page.headings = headings
  const selected = selectedText()
  if (selected !== '') page.selection = { text: selected }
  return page
}

function headingsOf(root: ParentNode): string[] {
  const found: string[] = []
  for (const heading of root.querySelectorAll<HTMLElement>('h1,h2,h3,[role="heading"]')) {
    if (found.length === maxHeadings) break
    if (heading.closest(hidden) !== null || heading.offsetParent === null) continue
    const text = publicText(heading).replace(/\s+/g, ' ').trim().slice(0, maxHeading)
    if (text !== '') found.push(text)
  }
  return found
}

/** An element's text without what stands in private parts of it. */
function publicText(node: Node): string {
  if (node instanceof Text) return node.data
  if (node instanceof Element && node.matches(hidden)) return ''
  return [...node.childNodes].map(publicText).join('')
}

function selectedText(): string {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return ''
  const range = selection.getRangeAt(0)
  const around = range.commonAncestorContainer
  const element = around instanceof Element ? around : around.parentElement
  if (element === null || element.closest(hidden) !== null) return ''
  return publicText(range.cloneContents()).replace(/\s+/g, ' ').trim().slice(0, maxSelection)
}
