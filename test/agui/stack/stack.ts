import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { built } from './build.ts'
import { Child } from './child.ts'
import { Host, openapi } from './host.ts'
import { Model } from './model.ts'

const file = `
product: {id: shop, name: Corner shop, about: "Shelves and stock of a small shop, for its staff."}
identity:
  secret_env: SHOP_SECRET
  audience: steward
  roles:
    staff: [read, send]
    auditor: [read]
sources:
  api: {openapi: openapi.json, base_url_env: SHOP_URL, authority: forward}
models:
  loop: {provider: anthropic, model: claude-sonnet-5}
tools:
  actions:
    stock.shelves: {operation: api.listShelves, summary: "The shelves and what is left on each."}
    stock.broken: {operation: api.getBroken, summary: "A read that fails."}
surfaces:
  app:
    client_tools: true
  kiosk:
    client_tools: false
`

/** Everything that a test runs against: the product, the scripted model and the real program, each a process's worth. */
export class Stack {
  readonly host = new Host()
  model!: Model
  #folder = ''
  #modelProcess!: Child
  #steward: Child | undefined
  #url = ''

  /** Steward's own address. */
  get url(): string {
    return this.#url
  }

  /** What Steward logged since it was started last. */
  get log(): string {
    return this.#steward?.log ?? ''
  }

  async start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'steward-agui-'))
    await this.host.listen()
    const [process, url] = await Child.start(`${built}model`, [], {}, this.#folder)
    this.#modelProcess = process
    this.model = new Model(url)
    await writeFile(join(this.#folder, 'steward.yaml'), file)
    await writeFile(join(this.#folder, 'openapi.json'), JSON.stringify(openapi))
    await this.startSteward()
  }

  /** Starts Steward on the same database; its address is a new one each time. */
  async startSteward(): Promise<void> {
    const [process, url] = await Child.start(
      globalThis.process.env['STEWARD_BIN'] ?? `${built}steward`,
      ['serve', '--config', 'steward.yaml', '--addr', '127.0.0.1:0'],
      {
        SHOP_SECRET: this.host.secret,
        SHOP_URL: this.host.url,
        ANTHROPIC_API_KEY: 'key-of-this-test',
        ANTHROPIC_BASE_URL: this.model.url,
        STEWARD_DATABASE_URL: `sqlite:${join(this.#folder, 'steward.db')}`,
      },
      this.#folder,
    )
    this.#steward = process
    this.#url = url
    this.host.steward = url
  }

  /** Kills Steward as a crash does, or asks it to stop. */
  async stopSteward(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    await this.#steward?.stop(signal)
  }

  async stop(): Promise<void> {
    await this.stopSteward()
    await this.#modelProcess.stop('SIGKILL')
    await this.host.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Tests that have a stack, one for each worker. After each the model must have refused nothing, and the client must have
 * complained of nothing. What it writes to the console about a run that failed is left out: tests look at the failure itself.
 */
export const test = base.extend<{ holds: void }, { stack: Stack }>({
  stack: [
    async ({}, use) => {
      const stack = new Stack()
      await stack.start()
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  holds: [
    async ({ stack }, use, info) => {
      const { error, warn } = console
      const complaints: string[] = []
      console.error = (...words: unknown[]) => {
        if (words[0] !== 'Agent execution failed:') error(...words)
      }
      console.warn = (...words: unknown[]) => {
        complaints.push(words.join(' '))
      }
      await use()
      Object.assign(console, { error, warn })
      if (info.status !== info.expectedStatus) await info.attach('steward.log', { body: stack.log })
      base.expect(complaints).toEqual([])
      const { refused } = await stack.model.seen()
      base.expect(refused, 'requests that a vendor would refuse').toEqual({})
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
