import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { built } from './build.ts'
import { sign, verify, type Person } from './token.ts'

const shelves = [
  { id: 'a1', name: 'Tea', aisle: 4, left: 7 },
  { id: 'b2', name: 'Coffee', aisle: 5, left: 0 },
]

/** The document of the host's API. */
export const openapi = {
  openapi: '3.1.0',
  info: { title: 'Corner shop', version: '1' },
  paths: {
    '/api/shelves': {
      get: {
        operationId: 'listShelves',
        summary: 'The shelves of the shop, with what is left on each.',
        responses: { 200: { description: 'The shelves.', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
    '/api/broken': {
      get: { operationId: 'getBroken', summary: 'A read that fails.', responses: { 200: { description: 'Never.' } } },
    },
  },
}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Corner shop</title>
<style>
body{font:15px/22px system-ui,sans-serif;margin:0;display:grid;grid-template-columns:1fr 420px;min-height:100vh;color:#1d1c18}
main{padding:24px}h1{margin:0 0 16px;font-size:22px}
#shelves{display:grid;gap:8px}.shelf{border:1px solid #e6e3db;border-radius:8px;padding:12px}.shelf.marked{outline:3px solid #d97706}
aside{border-left:1px solid #e6e3db;background:#f6f5f1;padding:16px;display:flex;flex-direction:column}
.thread{flex:1}.user{margin:8px 0 8px 48px;padding:8px 12px;border-radius:12px;background:#1d1c18;color:#fff}
.assistant{margin:8px 48px 8px 0;padding:8px 12px;border-radius:12px;background:#fff;white-space:pre-wrap}
.tool{font-size:12px;color:#6c675d}form{display:flex;gap:8px}textarea{flex:1;font:inherit;padding:8px}.error{color:#b91c1c}
</style></head><body><main><h1>Corner shop</h1><div id="shelves">
${shelves.map((s) => `<div class="shelf" id="shelf-${s.id}"><b>${s.name}</b> aisle ${s.aisle}, ${s.left} left</div>`).join('\n')}
</div></main><aside id="chat"></aside><script type="module" src="/app.js"></script></body></html>`

/**
 * A small product: one page, one API that wants its own tokens, and Steward behind the same origin.
 */
export class Host {
  /** What the host and Steward share to sign tokens. */
  readonly secret = randomBytes(32).toString('hex')
  /** Where Steward listens; empty: nowhere yet. */
  steward = ''
  url = ''
  /** How often the API was asked. */
  reads = 0
  readonly #server: Server = createServer((q, a) => this.#serve(q, a))

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** A token for somebody, as the session endpoint gives it. */
  token(person: Person): string {
    return sign(person, this.secret)
  }

  #serve(q: IncomingMessage, a: ServerResponse): void {
    const url = new URL(q.url ?? '/', this.url)
    const send = (status: number, type: string, body: string | Buffer) => {
      a.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
      a.end(body)
    }
    switch (url.pathname) {
      case '/':
        return send(200, 'text/html; charset=utf-8', page)
      case '/app.js':
        return send(200, 'text/javascript', readFileSync(`${built}app.js`))
      case '/favicon.ico':
        return send(204, 'text/plain', '')
      case '/session/token': // the host's own session; here the address says who it is
        return send(200, 'application/json', JSON.stringify({ token: this.token({ sub: url.searchParams.get('as') ?? '', org: 'shop', roles: ['staff'] }) }))
      case '/api/shelves':
        this.reads++
        if (!verify(q.headers.authorization, this.secret)) return send(401, 'application/json', '{"error":"no token"}')
        return send(200, 'application/json', JSON.stringify({ shelves }))
      case '/api/broken':
        return send(500, 'application/json', '{"error":"broken"}')
      default:
        if (/^\/(v1|steward)(\/|$|\.js$)/.test(url.pathname)) return this.#forward(q, a)
        return send(404, 'text/plain', 'not found')
    }
  }

  /** Passes a request on to Steward and its answer back, piece by piece. A reader that leaves is told on. */
  #forward(q: IncomingMessage, a: ServerResponse): void {
    const on = request(this.steward + (q.url ?? ''), { method: q.method ?? 'GET', headers: q.headers }, (back) => {
      a.writeHead(back.statusCode ?? 502, back.headers)
      a.flushHeaders()
      back.pipe(a)
      back.on('error', () => a.destroy())
    })
    on.on('error', () => (a.headersSent ? a.destroy() : a.writeHead(502).end()))
    a.on('close', () => on.destroy())
    q.pipe(on)
  }
}
