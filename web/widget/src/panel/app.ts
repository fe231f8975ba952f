import { Conversations } from '../../../client/src/conversations.ts'
import type { Action } from '../../../client/src/event.gen.ts'
import type { Http } from '../../../client/src/http.ts'
import { navEntryOf } from '../../../client/src/links.ts'
import { Problem, problemOf } from '../../../client/src/problem.ts'
import type { Channel, Tabs } from '../../../client/src/relay.ts'
import { eraseConversation } from '../../../client/src/routes.ts'
import { Session, type SendOptions, type SessionView } from '../../../client/src/session.ts'
import type { ShownMessage } from '../../../client/src/state.ts'
import { languageOf, Words } from '../../../client/src/words.ts'
import type { PageContext } from '../../../client/src/wire.ts'
import type { Host } from '../shared/host.ts'
import { Drafts, personOf } from './drafts.ts'
import { collectPage } from './page.ts'

/** Which of its faces the panel shows. */
export type Face = 'conversation' | 'list' | { basis: string }

/** What stands behind the panel: the client's parts, and which face is shown. */
export class App {
  host: Host
  words: Words
  readonly http: Http
  readonly conversations: Conversations
  session: Session
  face: Face = 'conversation'
  /** Whether the next message tells about the page. */
  seesPage = true
  readonly #started = new Map<string, number>()
  #unsubscribe: () => void
  readonly #changed: () => void
  #language: string
  readonly #drafts: Drafts
  /** Under which name the field's words are kept; '' until the conversation is stored. */
  #draft = ''
  #text: string

  private constructor(host: Host, words: Words, drafts: Drafts, changed: () => void) {
    this.host = host
    this.words = words
    this.#language = words.language
    this.#changed = changed
    this.#drafts = drafts
    this.#text = drafts.read('')
    this.http = host.http
    this.http.refused = problemOf
    this.conversations = new Conversations(this.http)
    this.conversations.subscribe(changed)
    this.session = new Session(this.#sessionOptions())
    this.#unsubscribe = this.session.subscribe(() => this.#sessionChanged())
  }

  /** Loads the texts, and the conversation that was shown before a reload. */
  static async start(host: Host, changed: () => void): Promise<App> {
    const drafts = new Drafts(host.http.base, personOf(await host.http.tokens.get(), host.contract.hash))
    const app = new App(host, await loadWords(host), drafts, changed)
    const { conversation } = host.memory.read()
    if (conversation !== '') void app.choose(conversation)
    return app
  }

  /** What stands in the composer. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    this.#drafts.write(this.#draft, text)
  }

  get view(): SessionView {
    return this.session.view
  }

  /** When this screen first saw that a message is being answered, in milliseconds. */
  startedAt(said: ShownMessage | undefined): number {
    const id = said?.id ?? ''
    const at = this.#started.get(id) ?? Date.now()
    this.#started.set(id, at)
    return at
  }

  /** Whether the guide answers here. */
  get guided(): boolean {
    return this.host.contract.answers === 'guide'
  }

  /** Whether this member may send. */
  get maySend(): boolean {
    return this.host.contract.rights.includes('send')
  }

  /** What people call the page that is open. */
  get pageLabel(): string {
    const entry = navEntryOf(location.pathname, this.host.contract.nav)
    return entry?.label ?? document.title
  }

  /** Loads the texts again where the page now speaks another language. */
  async speak(): Promise<void> {
    const language = languageOf(this.host.locale())
    if (language === this.#language) return
    this.#language = language
    this.words = await loadWords(this.host)
    this.#changed()
  }

  /** Begins a new conversation; it is stored with its first message. */
  begin(): void {
    this.#take(new Session(this.#sessionOptions()), '')
    this.host.memory.write({ conversation: '', scroll: 0 })
    this.seesPage = true
    this.show('conversation')
  }

  /** Shows a stored conversation; a new one where it is gone. */
  async choose(id: string): Promise<void> {
    if (id !== this.session.id) {
      if (this.host.memory.read().conversation !== id) this.host.memory.write({ scroll: 0 })
      this.#take(new Session(this.#sessionOptions(), id), id)
      this.show('conversation')
      const there = await this.session.load()
      if (there || this.session.id !== id) {
        if (this.session.id === id) this.host.memory.write({ conversation: id })
        return
      }
      // What was written there is not lost with it.
      const { text } = this
      this.text = ''
      this.begin()
      if (text !== '') this.text = text
      return
    }
    this.show('conversation')
  }

  show(face: Face): void {
    this.face = face
    if (face === 'list') void this.conversations.load()
    this.#changed()
  }

  send(text: string, options: SendOptions = {}): void {
    if (text.trim() === '' || !this.maySend) return
    this.#keepUnder(this.session.id)
    this.host.memory.write({ conversation: this.session.id, scroll: 0 })
    void this.session.send(text.trim(), { page: this.#page(), ...options })
  }

  retry(messageId: string, options: SendOptions = {}): void {
    void this.session.retry(messageId, { page: this.#page(), ...options })
  }

  /** Does the one thing that can be done next about a fault. */
  act(action: Action, about: { messageId?: string; text?: string; traceId?: string }): void {
    switch (action) {
      case 'retry':
        if (this.view.line === 'lost') void this.session.reconnect()
        else if (about.messageId) this.retry(about.messageId)
        else if (about.text) this.#sendAgain(about.text)
        return
      case 'use_guide':
        if (about.messageId) this.retry(about.messageId, { engine: 'guide' })
        else if (about.text) this.#sendAgain(about.text, { engine: 'guide' })
        return
      case 'go_on':
        return this.send(this.words.text('ui.sayGoOn'))
      case 'smaller':
        return this.send(this.words.text('ui.saySmaller'))
      case 'new':
        return this.begin()
      case 'reload':
        void this.session.load()
        return
      case 'sign_in':
        return this.#signIn(about.text)
      case 'operator':
        if (about.traceId) void navigator.clipboard.writeText(about.traceId)
        return
      case 'change':
      case 'wait':
      case 'none':
        return this.session.dismiss()
      default: {
        const never: never = action
        return never
      }
    }
  }

  /** Erases a conversation; the one that is shown gives way to a new one. */
  async erase(id: string): Promise<void> {
    if (id === this.session.id) {
      this.begin()
      try {
        await eraseConversation(this.http, id)
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'not_found') void this.choose(id)
      }
      return
    }
    await this.conversations.erase(id)
  }

  /** Looks again at what may have changed elsewhere, when the member comes back to the page. */
  lookAgain(): void {
    const { state, loading } = this.view
    if (state.messages.length > 0 && state.phase !== 'running' && !loading) void this.session.load()
  }

  #sendAgain(text: string, options: SendOptions = {}): void {
    if (this.text === text) this.text = ''
    this.send(text, options)
  }

  #signIn(text: string | undefined): void {
    this.host.http.tokens.forget()
    void this.host.http.tokens.get().then((token) => {
      if (token === null) this.host.reauth()
      else if (text) this.#sendAgain(text)
      else void this.session.load()
    })
  }

  #page(): PageContext | undefined {
    return this.seesPage ? collectPage(this.host.locale()) : undefined
  }

  /** What is written next, and what stands in the field, belongs to a conversation that is now stored. */
  #keepUnder(id: string): void {
    if (this.#draft === id) return
    this.#drafts.write(this.#draft, '')
    this.#draft = id
    this.#drafts.write(id, this.#text)
  }

  #take(session: Session, draft: string): void {
    this.#draft = draft
    this.#text = this.#drafts.read(draft)
    this.#unsubscribe()
    this.session.close()
    this.session = session
    this.#unsubscribe = session.subscribe(() => this.#sessionChanged())
  }

  #sessionChanged(): void {
    const { unsent } = this.view
    // Words that were refused go back to the person, unless something new was written meanwhile.
    if (unsent !== undefined && this.text === '') this.text = unsent
    const running = this.view.state.phase === 'running'
    this.host.launcher({ busy: running ? this.words.text(this.guided ? 'ui.lookingUp' : 'ui.working') : '' })
    this.#changed()
  }

  #sessionOptions() {
    return { http: this.http, clientId: this.host.memory.clientId, tabs: tabs() }
  }
}

async function loadWords(host: Host): Promise<Words> {
  const language = languageOf(host.locale())
  const { texts } = (await host.load(`words.${language}.js`)) as { texts: Record<string, string> }
  return new Words(language, texts)
}

/** The browser's own way for tabs to know of each other; older ones read each for itself. */
function tabs(): Tabs | undefined {
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') return undefined
  return {
    locks: { request: (name, options, hold) => navigator.locks.request(name, options, hold) as Promise<void> },
    channel: (name) => new BroadcastChannel(name) as Channel,
  }
}
