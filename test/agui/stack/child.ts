import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A process of a test: it is up once it has printed a line with its address. */
export class Child {
  readonly #process: ChildProcess
  readonly #gone: Promise<void>
  #log = ''

  private constructor(process: ChildProcess) {
    this.#process = process
    this.#gone = new Promise((resolve) => process.once('close', () => resolve()))
    process.stderr?.on('data', (chunk: Buffer) => {
      this.#log += chunk.toString()
    })
  }

  /** Starts a program and gives it with the address that it printed. */
  static async start(file: string, args: string[], env: Record<string, string>, cwd: string): Promise<[Child, string]> {
    const process = spawn(file, args, { cwd, env: { PATH: globalThis.process.env['PATH'] ?? '', ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    const child = new Child(process)
    const failed = new Promise<never>((_, reject) => process.once('error', reject))
    const first = (async () => {
      for await (const line of createInterface({ input: process.stdout! })) {
        const address = /http:\/\/[\w.:]+\d/.exec(line)?.[0]
        if (address) return address
      }
      await child.#gone
      throw new Error(`${file} ended before it listened:\n${child.log}`)
    })()
    const address = await Promise.race([first, failed])
    process.stdout!.resume()
    return [child, address]
  }

  /** What the process logged. */
  get log(): string {
    return this.#log
  }

  /** Ends the process, SIGKILL included, and waits until it is gone. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#process.kill(signal)
    await this.#gone
  }
}
