import { sheet } from '../shared/sheet.ts'

const name = '--steward-dock-inset'

/**
 * The room that the dock takes of the page, as `--steward-dock-inset` on <html>. A page whose root or body does not answer
 * to it is narrowed here; one that gives the room further in says so with dock-inset="host" on the element.
 */
export class Inset {
  readonly #narrow = sheet(`html{padding-inline-end:var(${name})!important}`)
  #pixels = 0

  /** Takes so many pixels. */
  set(pixels: number, byHost: boolean): void {
    if (pixels === this.#pixels) return
    this.#pixels = pixels
    const { style } = document.documentElement
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== this.#narrow)
    style.removeProperty(name)
    const before = room()
    style.setProperty(name, `${pixels}px`)
    if (!byHost && room() === before) document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#narrow]
  }

  /** Gives all of it back. */
  clear(): void {
    if (this.#pixels === 0) return
    this.#pixels = 0
    document.documentElement.style.removeProperty(name)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== this.#narrow)
  }
}

/** What the page's root and body keep free of their content. */
function room(): string {
  return [document.documentElement, document.body]
    .map((element) => {
      const style = getComputedStyle(element)
      return [style.paddingInlineEnd, style.marginInlineEnd, style.paddingRight, style.marginRight, style.width].join()
    })
    .join(';')
}
