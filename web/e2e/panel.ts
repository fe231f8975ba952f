import { expect, test as base, type BrowserContext, type Locator, type Page } from '@playwright/test'

/** How a page is opened on the fake host. */
export interface OpenOptions {
  path?: string
  as?: string
  /** Further queries of the host's page, as "lang=he&theme=dark". */
  query?: string
}

/** The panel on a page, as a person uses it. Playwright looks through open shadow roots by itself. */
export class Panel {
  readonly page: Page
  readonly launcher: Locator
  readonly view: Locator
  readonly log: Locator
  readonly field: Locator
  readonly replies: Locator

  constructor(page: Page) {
    this.page = page
    this.launcher = page.locator('steward-assistant .launcher')
    this.view = page.locator('steward-view')
    this.log = this.view.locator('.log')
    this.field = this.view.locator('textarea')
    this.replies = this.view.locator('steward-reply')
  }

  /** Opens the host's page; `as` is a user of this test alone. */
  async visit({ path = '/schedule', as, query = '' }: OpenOptions): Promise<this> {
    await this.page.goto(`${path}?as=${as ?? ''}${query === '' ? '' : `&${query}`}`)
    return this
  }

  async open(): Promise<this> {
    await this.launcher.click()
    await expect(this.field).toBeFocused()
    return this
  }

  async ask(text: string): Promise<void> {
    await this.field.fill(text)
    await this.field.press('Enter')
    // Cleared in the frame in which the turn is first shown as running.
    await expect(this.field).toHaveValue('')
  }

  /** Lets the turns of a user go on that the server holds. */
  async go(user: string): Promise<void> {
    await expect(await this.page.request.post(`/__go?as=${user}`)).toBeOK()
  }

  /** Waits until the turn has ended; that it has begun was seen before. */
  async rested(): Promise<void> {
    await expect(this.view.locator('.send.stop')).toHaveCount(0, { timeout: 30_000 })
    await expect(this.view.locator('.ring')).toHaveCount(0)
  }
}

/** How many times slower than this machine the pages run, to find what only a slow machine would. */
const slowness = Number(process.env['STEWARD_E2E_SLOWNESS'] ?? 1)

/** A test with a user of its own. */
export const test = base.extend<{ panel: Panel; user: string }>({
  user: async ({}, use, info) => use(`u${info.workerIndex}-${info.testId.slice(-8)}-${info.retry}`),
  panel: async ({ page, user }, use) => {
    if (slowness > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowness })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('dialog', (dialog) => {
      errors.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await use(Object.assign(new Panel(page), { user }))
    expect(errors).toEqual([])
  },
})

export { expect }

/** Every request that left the pages of a context for another origin. */
export function foreignRequests(context: BrowserContext, base: string): string[] {
  const seen: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) seen.push(request.url())
  })
  return seen
}
