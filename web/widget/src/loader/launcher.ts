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

/** The button that opens the panel. It is hidden while its panel is open. */
export interface Launcher {
  readonly button: HTMLButtonElement
  /** Shows that something runs while the panel is closed, or that it could not be opened. */
  show(state: LauncherState): void
}

/** Makes the button. */
export function launcherOf({ title, word, keys, guide }: LauncherText, pressed: () => void): Launcher {
  const button = document.createElement('button')
  button.className = guide ? 'launcher guide' : 'launcher'
  button.ariaHasPopup = 'dialog'
  const mark = part('mark')
  const text = part('word')
  const key = part('key')
  key.dir = 'ltr'
  key.textContent = keys
  button.append(mark, part('label', text, key))
  button.addEventListener('click', pressed)
  const show = ({ busy, failed }: LauncherState): void => {
    // Said aloud from here on: what runs was begun in the panel, which tells of it.
    if (failed) button.ariaLive = 'polite'
    button.classList.toggle('busy', Boolean(busy))
    text.textContent = busy || word
    button.ariaLabel = busy ? `${title}. ${busy}` : title
    mark.replaceChildren(busy && !failed ? part('ring') : draw(guide ? signpost : bell, 26))
  }
  show({ busy: '' })
  return { button, show }
}

function part(name: string, ...inner: HTMLElement[]): HTMLSpanElement {
  const span = document.createElement('span')
  span.className = name
  span.append(...inner)
  return span
}
