import { codes, type Action, type Code } from './event.gen.ts'

/** What a problem document says. */
export interface ProblemFields {
  code: Code
  /** 0 where no response came. */
  status: number
  /** In the member's language; empty where the server did not say it, and the catalogue must. */
  sentence?: string
  title?: string
  traceId?: string
  action?: Action
  field?: string
  scope?: string
  /** From Retry-After. */
  retryAfterSeconds?: number
}

/**
 * What can be done about the faults that are found on this side of the line; the server says it of all others. Not read
 * from the whole list of facts, which a page need not load.
 */
export const localActions: Partial<Record<Code, Action>> = {
  unauthorized: 'sign_in',
  forbidden: 'none',
  not_found: 'new',
  turn_in_progress: 'wait',
  bad_request: 'change',
  body_too_large: 'change',
  quota_exceeded: 'wait',
  not_configured: 'use_guide',
  agent_disabled: 'none',
}

const known: ReadonlySet<unknown> = /* @__PURE__ */ new Set(codes)

/** A request that the server refused, with the one thing to do next. */
export class Problem extends Error {
  readonly code: Code
  readonly status: number
  readonly sentence: string
  readonly title: string
  readonly traceId: string
  readonly action: Action
  readonly field: string
  readonly scope: string
  readonly retryAfterSeconds: number

  constructor(fields: ProblemFields) {
    super(`${fields.status} ${fields.code}`)
    this.name = 'Problem'
    this.code = fields.code
    this.status = fields.status
    this.sentence = fields.sentence ?? ''
    this.title = fields.title ?? ''
    this.traceId = fields.traceId ?? ''
    this.action = fields.action ?? localActions[fields.code] ?? 'retry'
    this.field = fields.field ?? ''
    this.scope = fields.scope ?? ''
    this.retryAfterSeconds = fields.retryAfterSeconds ?? 0
  }
}

/** Whether the name stands in the list of codes. */
export function isCode(name: unknown): name is Code {
  return known.has(name)
}

/** Reads a problem document; one that is none is told by its status. */
export async function problemOf(response: Response): Promise<Problem> {
  let body: Record<string, unknown> = {}
  try {
    const parsed: unknown = await response.json()
    if (typeof parsed === 'object' && parsed !== null) body = parsed as Record<string, unknown>
  } catch {
    // A proxy's page of HTML, or nothing at all: the status says what can be said.
  }
  const text = (key: string): string => (typeof body[key] === 'string' ? body[key] : '')
  return new Problem({
    code: isCode(body['code']) ? body['code'] : codeOfStatus(response.status),
    status: response.status,
    sentence: text('detail'),
    title: isCode(body['code']) ? '' : text('title'),
    traceId: text('traceId'),
    ...(text('action') === '' ? {} : { action: text('action') as Action }),
    field: text('field'),
    scope: text('scope'),
    retryAfterSeconds: Number(response.headers.get('Retry-After')) || 0,
  })
}

const codesOfStatus: Readonly<Record<number, Code>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'turn_in_progress',
  413: 'body_too_large',
  429: 'quota_exceeded',
}

function codeOfStatus(status: number): Code {
  return codesOfStatus[status] ?? (status >= 500 ? 'unavailable' : 'bad_request')
}
