/** An event of <steward-assistant>: it leaves the element and can be listened to on the page. */
class StewardEvent extends Event {
  constructor(name: string, cancelable = false) {
    super(`steward-${name}`, { bubbles: true, composed: true, cancelable })
  }
}

/** The panel was opened. */
export class StewardOpenEvent extends StewardEvent {
  constructor() {
    super('open')
  }
}

/** The panel was closed. */
export class StewardCloseEvent extends StewardEvent {
  constructor() {
    super('close')
  }
}

/** A link leads to a page of the host. A host with a router of its own cancels the event and goes there itself. */
export class StewardNavigateEvent extends StewardEvent {
  readonly path: string

  constructor(path: string) {
    super('navigate', true)
    this.path = path
  }
}

/** The member's token is no longer taken and the page gave no other: the host should let them sign in. */
export class StewardReauthEvent extends StewardEvent {
  constructor() {
    super('reauth')
  }
}

/** The events of <steward-assistant>. */
export interface StewardEventMap {
  'steward-open': StewardOpenEvent
  'steward-close': StewardCloseEvent
  'steward-navigate': StewardNavigateEvent
  'steward-reauth': StewardReauthEvent
}
