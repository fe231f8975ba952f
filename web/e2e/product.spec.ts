import AxeBuilder from '@axe-core/playwright'
import { expect, foreignRequests, test } from './panel.ts'

// What holds on any product's pages, whatever answers there: run on the fake host, and by STEWARD_E2E_URL on a real one.

test('a starter is answered, and a reload shows the same', async ({ panel, user, page, baseURL, context }) => {
  const foreign = foreignRequests(context, baseURL ?? '')
  await (await panel.visit({ as: user })).open()
  const starter = panel.view.locator('.row').first()
  const words = (await starter.textContent())?.trim() ?? ''
  await starter.click()
  await expect(panel.view.locator('.said')).toContainText(words)
  await panel.rested()
  await expect(panel.view.locator('.note.bad')).toHaveCount(0)
  await expect(panel.replies).not.toHaveCount(0)
  const said = await panel.replies.allTextContents()
  await page.reload()
  await expect.poll(() => panel.replies.allTextContents()).toEqual(said)
  await expect(panel.view.locator('.said')).toHaveCount(1)
  expect(foreign).toEqual([])
})

test('a look-up is opened, and the next question is answered', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('Who is booked tomorrow at 18:00?')
  await panel.rested()
  await panel.view.locator('.fold').first().click()
  const call = panel.view.locator('.opened .call').first()
  await expect(call.locator('pre').first()).toContainText('"')
  await expect(call.locator('table, pre').last()).toBeVisible()
  await panel.view.locator('.based').click()
  await expect(panel.view.locator('.face .call pre').first()).toContainText('"')
  await panel.page.keyboard.press('Escape')
  await expect(panel.field).toBeFocused()
  await panel.ask('Who is booked tomorrow at 09:00?')
  await panel.rested()
  await expect(panel.view.locator('.said')).toHaveCount(2)
  await expect(panel.view.locator('.tools')).toHaveCount(2)
})

test('conversations are listed, opened and erased', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  const mine = `Who is booked tomorrow at 18:00? ${user}`
  await panel.ask(mine)
  await panel.rested()
  await panel.view.getByRole('button', { name: 'New conversation' }).last().click()
  await expect(panel.view.getByText(/^Good /)).toBeVisible()
  await panel.view.locator('.title').click()
  const thread = panel.view.locator('.thread').filter({ hasText: user.slice(-8) })
  await thread.locator('.thread-open').click()
  await expect(panel.view.locator('.said')).toContainText(mine)
  await panel.view.locator('.title').click()
  await thread.hover()
  await thread.locator('.icon-button').click()
  await panel.view.locator('.erasing .danger').click()
  await expect(panel.view.getByText(/^Good /).or(panel.view.getByText('No conversations yet'))).toBeVisible()
})

test('the panel follows the page from page to page', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('Who is booked tomorrow at 18:00?')
  await panel.rested()
  await panel.visit({ as: user, path: '/leads' })
  await expect(panel.view.locator('.said')).toHaveCount(1)
  await expect(panel.view.locator('.sees')).toContainText('Leads')
  await page.keyboard.press('Control+k')
  await expect(panel.view).toBeHidden()
})

for (const [name, lang, theme, width] of [
  ['light', 'en', 'light', 1440],
  ['dark', 'en', 'dark', 1440],
  ['right to left', 'he', 'light', 1440],
  ['phone', 'ru', 'dark', 390],
] as const) {
  test(`axe finds nothing on the page’s own ground: ${name}`, async ({ panel, user, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' }) // colours are measured at rest, not while they fade in
    await page.setViewportSize({ width, height: 844 })
    await panel.visit({ as: user })
    await page.evaluate(([lang, theme]) => {
      Object.assign(document.documentElement, { lang, dir: lang === 'he' ? 'rtl' : 'ltr' })
      document.documentElement.dataset['theme'] = theme
    }, [lang, theme] as const)
    await panel.open()
    await panel.view.locator('.row').first().click()
    await expect(panel.view.locator('.said')).toHaveCount(1)
    await panel.rested()
    const { violations } = await new AxeBuilder({ page }).include('steward-assistant').analyze()
    expect(violations.map((v) => `${v.id} ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)).toEqual([])
  })
}

for (const [name, width, height, lang] of [['desktop', 1280, 800, 'en'], ['right to left', 1280, 800, 'he'], ['phone', 390, 844, 'en']] as const) {
  test(`nothing of the gym’s page lies over its own menu: ${name}`, async ({ panel, user, page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' }) // the drawer is there at once
    await page.setViewportSize({ width, height })
    await panel.visit({ as: user })
    const menu = page.locator('.account .menu')
    test.skip((await menu.count()) === 0, 'this host has no such menu')
    await page.evaluate((lang) => Object.assign(document.documentElement, { lang, dir: lang === 'he' ? 'rtl' : 'ltr' }), lang)
    if (width < 720) await page.locator('[data-drawer-open-button]').first().click()
    await page.locator('.account summary').click()
    await expect(menu).toBeVisible()
    const covered = await menu.evaluate((menu) => {
      const box = menu.getBoundingClientRect()
      const over: string[] = []
      for (let x = box.left + 4; x < box.right; x += 12) {
        for (let y = box.top + 4; y < box.bottom; y += 12) {
          const top = document.elementFromPoint(x, y)
          if (top && !menu.contains(top)) over.push(`${top.localName}.${top.className} at ${x},${y}`)
        }
      }
      return over
    })
    expect(covered).toEqual([])
  })
}
