import { expect, test } from './panel.ts'

test('a phone has a sheet with two heights', async ({ panel, user, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await (await panel.visit({ as: user })).open()
  const frame = page.locator('steward-assistant .frame')
  await expect(frame).toHaveAttribute('role', 'dialog')
  const share = async () => ((await frame.boundingBox())?.height ?? 0) / 844
  await expect.poll(share).toBeCloseTo(0.56, 2)
  await page.locator('steward-assistant .grab').click()
  await expect.poll(share).toBeCloseTo(0.92, 2)
  await panel.ask('hello there')
  await panel.rested()
  const grab = await page.locator('steward-assistant .grab').boundingBox()
  const x = (grab?.x ?? 0) + (grab?.width ?? 0) / 2
  await page.mouse.move(x, (grab?.y ?? 0) + 8)
  await page.mouse.down()
  await page.mouse.move(x, 700, { steps: 5 })
  await page.mouse.up()
  await expect(frame).toBeHidden()
  await expect(panel.launcher).toBeVisible()
})

for (const [width, height] of [[390, 844], [320, 568]] as const) {
  test(`an answer is readable at once on a phone: ${width}×${height}`, async ({ panel, user, page }) => {
    await page.setViewportSize({ width, height })
    await (await panel.visit({ as: user })).open()
    await panel.ask('long answer')
    await expect(panel.replies).toContainText('Paragraph 3')
    await expect(panel.replies.locator('p').first()).toBeInViewport({ ratio: 1 })
    await panel.rested()
    await expect(panel.replies.locator('p').first()).toBeInViewport({ ratio: 1 })
    await expect.poll(async () => ((await page.locator('steward-assistant .frame').boundingBox())?.height ?? 0) / height).toBeCloseTo(0.92, 2)
    await page.locator('steward-assistant .grab').click()
    await panel.ask('long again')
    await expect(panel.replies.nth(1)).toContainText('Paragraph 3')
    await expect.poll(async () => ((await page.locator('steward-assistant .frame').boundingBox())?.height ?? 0) / height).toBeCloseTo(0.56, 2)
  })
}

test('touch targets on a phone are 44 high', async ({ panel, user, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await (await panel.visit({ as: user })).open()
  await panel.ask('unreachable model')
  await expect(panel.view.locator('.note')).toBeVisible()
  const small = await panel.view.evaluate((view) =>
    [...(view.shadowRoot?.querySelectorAll<HTMLElement>('button:not(.title):not(.trace)') ?? [])].filter((b) => b.checkVisibility() && b.getBoundingClientRect().height < 43.5).map((b) => b.className),
  )
  expect(small).toEqual([])
})

test('Hebrew is laid out from right to left, with the dock at the left', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user, query: 'lang=he' })).open()
  await expect.poll(async () => (await page.locator('steward-assistant .frame').boundingBox())?.x).toBe(0)
  await expect(panel.field).toHaveAttribute('placeholder', 'שאלה, או מה לבדוק')
  await panel.ask('מי רשום מחר?')
  await expect(panel.replies).toContainText('3 מקומות')
  await panel.rested()
  await expect(panel.view.locator('.fold')).toContainText('בדיקה אחת')
})

test('dark follows the page, also when it changes', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  const frame = page.locator('steward-assistant .frame')
  await expect(frame).toHaveCSS('background-color', 'rgb(251, 250, 247)')
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect(frame).toHaveCSS('background-color', 'rgb(25, 25, 23)')
  await page.evaluate(() => document.querySelector('steward-assistant')?.setAttribute('theme', 'light'))
  await expect(frame).toHaveCSS('background-color', 'rgb(251, 250, 247)')
})

test('the language follows the page, also when it changes', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  await page.evaluate(() => Object.assign(document.documentElement, { lang: 'ru' }))
  await expect(panel.field).toHaveAttribute('placeholder', 'Спросите или скажите, что найти')
})

test('over the page, Tab stays inside; with reduced motion nothing moves', async ({ panel, user, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1024, height: 768 })
  await (await panel.visit({ as: user })).open()
  const frame = page.locator('steward-assistant .frame')
  await expect(frame).toHaveAttribute('aria-modal', 'true')
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('steward-assistant')
  }
  await panel.view.locator('textarea').focus()
  await panel.ask('slow answer')
  await expect(panel.view.locator('.send.stop')).toBeVisible()
  expect(await page.evaluate(() => document.getAnimations().filter((a) => a.playState === 'running').length)).toBe(0)
  await page.mouse.click(100, 300)
  await expect(frame).toBeHidden()
})
