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
    this.button.type = 'button'
    this.button.className = text.guide ? 'launcher guide' : 'launcher'
    this.button.setAttribute('aria-haspopup', 'dialog')
    this.button.setAttribute('aria-expanded', 'false')
    this.#mark = document.createElement('span')
    this.#mark.style.display = 'flex'
    const label = document.createElement('span')
    label.className = 'label'
    this.#word = document.createElement('span')
    label.append(this.#word)
    if (text.keys !== '') {
      const keys = document.createElement('bdi')
      keys.className = 'key'
      keys.textContent = text.keys
      label.append(keys)
    }
    this.button.append(this.#mark, label)
    this.button.addEventListener('click', pressed)
    this.show({ busy: '' })
  }

  /** Shows that something runs while the panel is closed. */
  show({ busy }: LauncherState): void {
    const working = busy !== ''
    this.button.classList.toggle('busy', working)
    this.#word.textContent = working ? busy : this.#text.word
    this.button.setAttribute('aria-label', working ? `${this.#text.title}. ${busy}` : this.#text.title)
    const ring = document.createElement('span')
    ring.className = 'ring'
    this.#mark.replaceChildren(working ? ring : draw(this.#text.guide ? signpost : bell, 26))
  }
}
