import type { Code } from './event.gen.ts'
import type { Word } from './word.gen.ts'

/** Fills the slots of a text. */
export type Slots = Readonly<Record<string, string | number>>

/** The texts of one language, with its plurals, numbers and times. */
export class Words {
  readonly language: string
  readonly #texts: Readonly<Record<string, string>>
  readonly #plural: Intl.PluralRules
  readonly #number: Intl.NumberFormat

  constructor(language: string, texts: Readonly<Record<string, string>>) {
    this.language = language
    this.#texts = texts
    this.#plural = new Intl.PluralRules(language)
    this.#number = new Intl.NumberFormat(language)
  }

  /** Whether the language is written from right to left. */
  get rtl(): boolean {
    return this.language === 'he'
  }

  /** The text of a key; the key itself where there is none, so that a person sees that something is missing. */
  text(key: Word, slots: Slots = {}): string {
    return fill(this.#texts[key] ?? key, slots)
  }

  /** The heading of a fault; one that is told only with a call has none, and is headed as one of the server's. */
  title(code: Code): string {
    return this.#texts[`code.${code}.title`] ?? this.text('code.internal.title')
  }

  /** The text of a key in the plural form of n, which fills the slot {n}. */
  count(key: Word, n: number, slots: Slots = {}): string {
    const text = this.#texts[`${key}.${this.#plural.select(n)}`] ?? this.#texts[`${key}.other`] ?? key
    return fill(text, { ...slots, n: this.number(n) })
  }

  /** A number as the language writes it. */
  number(n: number): string {
    return this.#number.format(n)
  }

  /** Seconds with one digit, "0.6 s"; nothing where that would be none. */
  seconds(ms: number): string {
    if (ms < 50) return ''
    const value = new Intl.NumberFormat(this.language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000)
    return this.text('ui.seconds', { n: value })
  }
}

/** The language of Steward's own texts for a locale: "he-IL" takes "he"; English where it does not speak it. */
export function languageOf(locale: string): 'en' | 'he' | 'ru' {
  const base = locale.toLowerCase().split(/[-_]/)[0] ?? ''
  if (base === 'he' || base === 'iw') return 'he' // iw is the old code, which some browsers still send
  return base === 'ru' ? 'ru' : 'en'
}

function fill(text: string, slots: Slots): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in slots ? String(slots[name]) : whole))
}
