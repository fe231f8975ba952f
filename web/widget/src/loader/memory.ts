import { uuid } from '../../../client/src/uuid.ts'
import type { Memory, Remembered } from '../shared/host.ts'

const nothing: Remembered = { open: false, conversation: '', scroll: 0, tall: false }

/** Remembers in the tab's session storage, or only while the page lives where a browser forbids that. */
export class TabMemory implements Memory {
  readonly clientId: string
  readonly #key: string
  #held: Remembered

  constructor(base: string) {
    this.#key = `steward ${base}`
    try {
      this.#held = { ...nothing, ...(JSON.parse(kept(this.#key)) as Partial<Remembered>) }
    } catch {
      this.#held = nothing // nothing was kept, or not by this version
    }
    const tab = `${this.#key} tab`
    this.clientId = kept(tab) || uuid()
    keep(tab, this.clientId)
  }

  read(): Remembered {
    return this.#held
  }

  write(change: Partial<Remembered>): void {
    this.#held = { ...this.#held, ...change }
    keep(this.#key, JSON.stringify(this.#held))
  }
}

function kept(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return '' // storage is closed to this page
  }
}

function keep(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // As above: it is then forgotten with the page.
  }
}
