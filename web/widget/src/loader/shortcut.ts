/**
 * A shortcut such as "mod+k", where mod is Cmd on a Mac and Ctrl elsewhere. Empty, "off", and what has no modifier is none:
 * that would take a letter from someone who types.
 */
export class Shortcut {
  readonly #key: string
  readonly #wants: ReadonlySet<string>

  constructor(text: string) {
    const parts = text.toLowerCase().split('+').filter(Boolean)
    this.#key = parts.at(-1) ?? ''
    this.#wants = new Set(parts.slice(0, -1))
  }

  /** As the keyboard has it: "Ctrl K", "⌘K". */
  get label(): string {
    if (this.#wants.size === 0) return ''
    const mac = isMac()
    const names = [...this.#wants, this.#key].map((w) => (w === 'mod' ? (mac ? '⌘' : 'Ctrl') : w[0]?.toUpperCase() + w.slice(1)))
    return names.join(mac ? '' : ' ')
  }

  /** Whether it was pressed. */
  matches(event: KeyboardEvent): boolean {
    if (this.#wants.size === 0 || event.isComposing || event.repeat) return false
    return (
      event.key.toLowerCase() === this.#key &&
      event[isMac() ? 'metaKey' : 'ctrlKey'] === this.#wants.has('mod') &&
      event.shiftKey === this.#wants.has('shift') &&
      event.altKey === this.#wants.has('alt')
    )
  }
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
