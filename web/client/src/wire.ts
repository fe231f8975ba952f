import type { Action, Code, Outcome, Table, Usage } from './event.gen.ts'

/** What answers: a model, the guide that works without one, or nothing. */
export type Answers = 'model' | 'guide' | 'none'

/** Why the guide answers in a model's place. */
export type GuideReason = 'no_key' | 'unavailable' | 'budget' | 'agent_off' | 'asked'

/** `GET /v1/status`: what a page may know before anyone has signed in. */
export interface Status {
  enabled: boolean
  answers: Answers
  guideReason?: GuideReason
  modes: string[]
  limits: { maxText: number; maxBodyBytes: number }
  product: { id: string; name: string }
  launcher: {
    title: string
    shortcut: string
    layout: string
    bottomBar: string
    drawer: string
    locales: string[]
  }
  version: string
}

/** A page of the host that may be suggested; path segments in braces stand for any one segment. */
export interface NavEntry {
  path: string
  label: string
  focus?: string[]
}

/** A sentence to begin with; no pages means anywhere. */
export interface Starter {
  pages?: string[]
  text: string
}

/** `GET /v1/contract`: what this member may do here, and in which words. */
export interface Contract {
  hash: string
  product: { id: string; name: string }
  persona: { name: string; title: string; disclosure: string }
  locale: string
  locales: string[]
  answers: Answers
  guideReason?: GuideReason
  rights: string[]
  limits: { maxText: number; maxBodyBytes: number; maxRounds: number }
  starters: Starter[]
  tools: { name: string; summary: string; progress: string }[]
  nav: NavEntry[]
  linkOrigins: string[]
  words: Record<string, string>
  origins: string[]
}

/** A conversation in a list. */
export interface ConversationSummary {
  id: string
  title: string
  state: Phase
  createdAt: string
  updatedAt: string
}

/** Whether a conversation rests, runs, or waits for a person, a browser or a credential. */
export type Phase = 'resting' | 'running' | 'waiting'

/** `GET /v1/conversations/{id}`: messages oldest first; `before` is there where older ones are. */
export interface Conversation extends ConversationSummary {
  messages: Message[]
  /** The event id to follow from. */
  head: string
  before?: number
}

/** A tool call as people see it. */
export interface Call {
  id: string
  name: string
  label: string
  state: 'pending' | 'running' | 'succeeded' | 'failed'
  code?: string
  sentence?: string
  durationMs: number
  table?: Table
  /** The arguments, JSON as text. */
  args?: string
  /** The result as the model was given it. */
  content?: string
}

/** How a turn stands, on the member's message that it answers. */
export interface Turn {
  id: string
  state: 'running' | 'waiting' | 'ended'
  outcome?: Outcome
  code?: Code
  /** A sentence about `code`, in the member's language. */
  message?: string
  action?: Action
  traceId?: string
  usage?: Usage
  answers?: Answers
  guideReason?: GuideReason
  provider?: string
  model?: string
}

/** A page that the guide found. */
export interface PageLink {
  path: string
  label: string
}

/** A message as it stands in the log. `seq` is 0 while it is only on its way there. */
export interface Message {
  id: string
  seq: number
  role: 'user' | 'assistant'
  turnId: string
  createdAt: string
  /** The visible words. */
  text: string
  /** Of a member's message: the failed message that it asks again. */
  retryOf?: string
  page?: { title?: string; route?: string }
  turn?: Turn
  /** Of the assistant's message: whether it is whole. */
  state?: 'whole' | 'interrupted' | 'cut' | 'stopped' | 'draft'
  calls?: Call[]
  answers?: Answers
  provider?: string
  model?: string
  links?: PageLink[]
  table?: Table
}

/** What a page tells about itself with a message. */
export interface PageContext {
  route: string
  title?: string
  locale?: string
  viewport?: { width: number; height: number }
  headings?: string[]
  selection?: { text: string }
}

/** The body of `POST …/messages`. */
export interface SendBody {
  id: string
  text: string
  page?: PageContext
  clientId?: string
  capabilities?: string[]
  engine?: 'guide'
  retryOf?: string
}
