import type { Contract, Status } from '../../../client/src/wire.ts'
import type { Http } from '../../../client/src/http.ts'

/** What a page remembers over a reload, for this tab only. No words of a conversation are among it. */
export interface Remembered {
  open: boolean
  /** The id of the conversation that was shown. */
  conversation: string
  /** How far up the log was scrolled, in pixels from its end; 0 at the end. */
  scroll: number
  /** Whether a sheet was drawn up to its full height. */
  tall: boolean
}

/** Keeps what is remembered. */
export interface Memory {
  read(): Remembered
  write(change: Partial<Remembered>): void
  /** This tab's own id. */
  readonly clientId: string
}

/** What the launcher shows while its panel is closed. */
export interface LauncherState {
  /** A verb while something runs; empty at rest. */
  busy: string
  /** Whether `busy` is a sentence about what could not be done, rather than a verb. */
  failed?: boolean
}

/** What the loader gives the panel. */
export interface Host {
  /** The <steward-assistant> element. */
  readonly element: HTMLElement
  /** Where the panel draws itself. */
  readonly root: HTMLElement
  /** Adds the panel's tokens in light and in dark, and its styles, once. */
  style(light: CSSStyleSheet, dark: CSSStyleSheet, part: CSSStyleSheet): void
  /** Sends requests with the member's token. */
  readonly http: Http
  readonly status: Status
  readonly contract: Contract
  readonly memory: Memory
  /** The locale of the element, of the page, or of the browser. */
  locale(): string
  /** Whether text runs from right to left. */
  rtl(): boolean
  /** Loads a module of the same build: "words.he.js". */
  load(name: string): Promise<unknown>
  /** Leads to a page of the host: as the host's own router would, where it listens. */
  navigate(path: string): void
  /** Tells that the panel wants to be closed. */
  close(): void
  launcher(state: LauncherState): void
  /** Tells the host that its member has to sign in again. */
  reauth(): void
}

/** The panel, once it is loaded. */
export interface Panel {
  show(focus: boolean): void
  hide(): void
  /** Moves into another element, as when a framework makes the page anew. */
  adopt(host: Host): void
  /** The page, its locale or its direction has changed. */
  refresh(): void
}

/** What the panel's module exports. */
export interface PanelModule {
  mountPanel(host: Host): Promise<Panel>
}
