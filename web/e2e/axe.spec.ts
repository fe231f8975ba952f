import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './panel.ts'

const pages = [
  ['light', '', 1440, 900],
  ['dark', 'theme=dark', 1440, 900],
  ['right to left', 'lang=he', 1440, 900],
  ['right to left, dark', 'lang=he&theme=dark', 1440, 900],
  ['tablet', 'lang=ru', 1024, 768],
  ['phone', '', 390, 844],
  ['phone, dark, right to left', 'lang=he&theme=dark', 390, 844],
] as const

for (const [name, query, width, height] of pages) {
  test(`axe finds nothing: ${name}`, async ({ panel, user, page }) => {
    test.slow() // a page is looked through six times
    await page.emulateMedia({ reducedMotion: 'reduce' }) // colours are measured at rest, not while they fade in
    await page.setViewportSize({ width, height })
    const look = async (what: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).include('steward-assistant').analyze()
      expect(violations.map((v) => `${what}: ${v.id} ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
    }
    await panel.visit({ as: user, query })
    await expect(panel.launcher).toBeVisible()
    await look('launcher')
    await panel.open()
    await look('starters')
    await panel.ask('markdown please')
    await panel.rested()
    await panel.ask('failing look-up')
    await panel.rested()
    await panel.view.locator('.fold').last().click()
    await look('answer')
    await panel.ask('unreachable model')
    await expect(panel.view.locator('.note')).toBeVisible()
    await look('fault')
    await panel.view.locator('.based').first().click()
    await look('basis')
    await page.keyboard.press('Escape')
    await expect(panel.field).toBeFocused()
    await panel.view.locator('.title').click()
    await expect(panel.view.locator('.thread')).toHaveCount(1)
    await look('list')
    const width_ = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(width_).toBeLessThanOrEqual(0)
  })
}
