/** The panel was opened. */
export class StewardOpenEvent extends Event {
  constructor() {
    super('steward-open', { bubbles: true, composed: true })
  }
}

/** The panel was closed. */
export class StewardCloseEvent extends Event {
  constructor() {
    super('steward-close', { bubbles: true, composed: true })
  }
}

/** A link leads to a page of the host. A host with a router of its own cancels the event and goes there itself. */
export class StewardNavigateEvent extends Event {
  readonly path: string

  constructor(path: string) {
    super('steward-navigate', { bubbles: true, composed: true, cancelable: true })
    this.path = path
  }
}

/** The member's token is no longer taken and the page gave no other: the host should let them sign in. */
export class StewardReauthEvent extends Event {
  constructor() {
    super('steward-reauth', { bubbles: true, composed: true })
  }
}

/** The events of <steward-assistant>. */
export interface StewardEventMap {
  'steward-open': StewardOpenEvent
  'steward-close': StewardCloseEvent
  'steward-navigate': StewardNavigateEvent
  'steward-reauth': StewardReauthEvent
}
