import type { LauncherState } from '../shared/host.ts'
import { bell, draw, signpost } from '../shared/svg.ts'

/** What a launcher says. */
export interface LauncherText {
  /** Its name for those who don't see it. */
  title: string
  /** The word that opens beside it. */
  word: string
  /** The shortcut as the keyboard has it; empty for none. */
  keys: string
  guide: boolean
}

/** The button that opens the panel. */
export class Launcher {
  readonly button: HTMLButtonElement
  readonly #word: HTMLSpanElement
  readonly #mark: HTMLSpanElement
  readonly #text: LauncherText

  constructor(text: LauncherText, pressed: () => void) {
    this.#text = text
    this.button = document.createElement('button')
    this.button.className = text.guide ? 'launcher guide' : 'launcher'
    this.button.setAttribute('aria-haspopup', 'dialog')
    this.#mark = part('mark')
    this.#word = part('word')
    const keys = part('key')
    keys.dir = 'ltr'
    keys.textContent = text.keys
    const label = part('label')
    label.append(this.#word, keys)
    this.button.append(this.#mark, label)
    this.button.addEventListener('click', pressed)
    this.show({ busy: '' })
  }

  /** Stands aside while its panel is open. */
  opened(open: boolean): void {
    this.button.hidden = open
  }

  /** Shows that something runs while the panel is closed. */
  show({ busy }: LauncherState): void {
    const working = busy !== ''
    this.button.classList.toggle('busy', working)
    this.#word.textContent = working ? busy : this.#text.word
    this.button.setAttribute('aria-label', working ? `${this.#text.title}. ${busy}` : this.#text.title)
    this.#mark.replaceChildren(working ? part('ring') : draw(this.#text.guide ? signpost : bell, 26))
  }
}

function part(name: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = name
  return span
}
