import type { LinkRules } from '../../../../client/src/links.ts'
import { blocksOf, type Block } from './blocks.ts'
import { morph } from './morph.ts'
import { MarkdownRenderer } from './render.ts'

/**
 * A text of the assistant as `<steward-reply>`. Set `rules` once and `text` as it grows: only blocks that changed are
 * made anew, and of those only what changed.
 */
export class StewardReply extends HTMLElement {
  #rules: LinkRules | undefined
  #renderer: MarkdownRenderer | undefined
  #text = ''
  #writing = false
  #drawn: string[] = []
  #queued = false

  /** What links are allowed. */
  set rules(rules: LinkRules) {
    if (this.#rules === rules) return
    this.#rules = rules
    this.#renderer = new MarkdownRenderer(rules)
    this.#drawn = []
    this.#queue()
  }

  set text(text: string) {
    if (this.#text === text) return
    this.#text = text
    this.#queue()
  }

  /** Whether more is to come. */
  set writing(writing: boolean) {
    if (this.#writing === writing) return
    this.#writing = writing
    this.#queue()
  }

  connectedCallback(): void {
    this.classList.add('reply')
    this.#draw()
  }

  /** Draws once for all properties that are set together, before the next frame. */
  #queue(): void {
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => {
      this.#queued = false
      if (this.isConnected) this.#draw()
    })
  }

  #draw(): void {
    if (this.#renderer === undefined) return
    const blocks = blocksOf(this.#text, this.#writing)
    blocks.forEach((block, i) => {
      if (this.#drawn[i] === block.raw) return
      const fragment = this.#render(block)
      let box = this.children[i]
      if (box === undefined) {
        box = document.createElement('div')
        this.append(box)
      }
      morph(box, fragment)
      this.#drawn[i] = block.raw
    })
    while (this.children.length > blocks.length) this.lastElementChild?.remove()
    this.#drawn.length = blocks.length
  }

  /** A block's nodes; its bare words where it can't be laid out. */
  #render(block: Block): DocumentFragment {
    const bare = document.createDocumentFragment()
    try {
      return this.#renderer?.render(block) ?? bare
    } catch (error) {
      console.warn('Steward could not lay out a part of a reply:', error)
      bare.append(block.raw)
      return bare
    }
  }
}
