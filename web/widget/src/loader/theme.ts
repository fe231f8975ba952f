import { sheet } from '../shared/sheet.ts'
import darkText from './styles/dark.css'
import derivedText from './styles/derived.css'
import lightText from './styles/light.css'

/** The style sheets of an element's shadow root: tokens in light or dark, and those of the parts. */
export class Theme {
  readonly #shadow: ShadowRoot
  readonly #element: HTMLElement
  readonly #light = [sheet(lightText)]
  readonly #dark = [sheet(darkText)]
  readonly #parts: CSSStyleSheet[]

  constructor(element: HTMLElement, shadow: ShadowRoot, part: string) {
    this.#element = element
    this.#shadow = shadow
    this.#parts = [sheet(derivedText), sheet(part)]
    this.refresh()
  }

  /** Adds the tokens and styles of a part that came later. */
  add(light: CSSStyleSheet, dark: CSSStyleSheet, part: CSSStyleSheet): void {
    if (this.#parts.includes(part)) return
    this.#light.push(light)
    this.#dark.push(dark)
    this.#parts.push(part)
    this.refresh()
  }

  /** Looks again whether the page is light or dark. */
  refresh(): void {
    this.#shadow.adoptedStyleSheets = [...this.#light, ...(isDark(this.#element) ? this.#dark : []), ...this.#parts]
  }
}

/** The element's own wish, then what the page says of itself, then the person's. */
function isDark(element: HTMLElement): boolean {
  const { documentElement } = document
  for (const said of [element.getAttribute('theme'), documentElement.dataset['theme'], getComputedStyle(documentElement).colorScheme]) {
    if (said === 'dark' || said === 'light') return said === 'dark'
  }
  return matchMedia('(prefers-color-scheme: dark)').matches
}
