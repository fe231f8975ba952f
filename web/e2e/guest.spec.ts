import { expect, foreignRequests, test } from './panel.ts'

test('a strict page has nothing to report', async ({ panel, user, page, baseURL, context }) => {
  const foreign = foreignRequests(context, baseURL ?? '')
  await (await panel.visit({ as: user })).open()
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true)
  await panel.ask('markdown please')
  await expect(panel.replies.locator('table')).toBeVisible()
  await panel.rested()
  expect(await page.evaluate(() => (window as unknown as { reportedViolations: string[] }).reportedViolations)).toEqual([])
  expect(foreign).toEqual([])
})

test('markup and pictures of a reply load nothing and lead nowhere', async ({ panel, user, page, baseURL, context }) => {
  const foreign = foreignRequests(context, baseURL ?? '')
  await (await panel.visit({ as: user, query: 'plain' })).open()
  await panel.ask('image please')
  await panel.rested()
  await expect(panel.replies.locator('img, script, iframe, a')).toHaveCount(0)
  await expect(panel.replies).toContainText('<img src=')
  expect(foreign).toEqual([])
  expect(await page.evaluate(() => document.title)).toContain('Schedule')
})

test('at rest nothing is asked for', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('hello there')
  await panel.rested()
  let requests = 0
  page.on('request', () => requests++)
  await page.clock.install()
  await page.clock.runFor(10 * 60 * 1000)
  expect(requests).toBe(0)
})

test('Enter that ends a word of an input method does not send', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.field.fill('hello こんにちは')
  const sent = await panel.field.evaluate((field) => {
    const key = (init: KeyboardEventInit & { keyCode?: number }) => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, composed: true, ...init })
      if (init.keyCode) Object.defineProperty(event, 'keyCode', { value: init.keyCode })
      field.dispatchEvent(event)
    }
    key({ isComposing: true })
    key({ keyCode: 229 })
    return (field as HTMLTextAreaElement).value
  })
  expect(sent).toBe('hello こんにちは')
  await expect(panel.view.locator('.said')).toHaveCount(0)
  await panel.field.press('Shift+Enter')
  await expect(panel.field).toHaveValue('hello こんにちは\n')
  await panel.field.press('Enter')
  await expect(panel.view.locator('.said')).toHaveCount(1)
  await expect(panel.field).toHaveValue('')
})

test('someone who reads further up is not moved', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('long held at 20')
  await expect(panel.replies).toContainText('Paragraph 20')
  await panel.view.locator('.below').click()
  const fromEnd = () => panel.log.evaluate((e) => Math.round(e.scrollHeight - e.clientHeight - e.scrollTop))
  await expect.poll(fromEnd).toBe(0)
  await panel.log.hover()
  await panel.page.mouse.wheel(0, -200)
  await expect.poll(fromEnd).toBe(200)
  const before = await panel.log.evaluate((e) => e.scrollTop)
  await panel.go(user)
  await expect(panel.view.locator('.below')).toBeVisible()
  await panel.rested()
  expect(await panel.log.evaluate((e) => e.scrollTop)).toBe(before)
  await panel.view.locator('.below').click()
  await expect.poll(fromEnd).toBe(0)
  await expect(panel.view.locator('.below')).toHaveCount(0)
})

test('a long answer is shown from its first line, and followed once someone went to its end', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('long held at 20')
  await expect(panel.replies).toContainText('Paragraph 20')
  await expect(panel.view.locator('.said')).toBeInViewport()
  await expect(panel.replies.locator('p').first()).toBeInViewport()
  await panel.view.locator('.below').click()
  await panel.go(user)
  await panel.rested()
  await expect(panel.replies.locator('p').last()).toBeInViewport()
})

test('an engineer is told why nothing is shown', async ({ panel, user, page, baseURL }) => {
  const told: string[] = []
  page.on('console', (message) => told.push(message.text()))
  await panel.visit({ as: `member-${user}` })
  await expect.poll(() => told.filter((t) => t.startsWith('Steward'))).toEqual([`Steward is not shown: 403 forbidden Your role does not include it. ${baseURL}/v1/contract`])
  expect(told.join()).not.toContain('fake-')
})

for (const [name, answer, want] of [
  ['no token', { json: { jwt: 'eyJ-secret' } }, 'answered without "token"'],
  ['null', { json: null }, 'answered without "token"'],
  ['a page to sign in', { contentType: 'text/html', body: '<!doctype html><p>eyJ-secret' }, 'answered no JSON'],
  ['an error', { status: 500, body: 'eyJ-secret' }, 'answered 500'],
  ['a member who is signed out', { json: { token: null } }, ''],
] as const) {
  test(`an endpoint of tokens that answers with ${name}`, async ({ panel, user, page }) => {
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    await page.route('**/session/token*', (route) => route.fulfill(answer))
    await panel.visit({ as: user })
    const steward = () => told.filter((t) => t.includes('Steward'))
    const all = want === '' ? [] : [`Steward is not shown: /session/token?as=${user} ${want}`]
    await expect.poll(steward).toEqual(all)
    await page.waitForLoadState('networkidle')
    expect(steward()).toEqual(all)
    expect(told.join()).not.toContain('eyJ')
    await expect(panel.launcher).toHaveCount(0)
  })
}

test('an element without any source of a token says so once the page has loaded, one that got it late does not', async ({ panel, user, page }) => {
  const told: string[] = []
  page.on('console', (message) => told.push(message.text()))
  const without = (late: boolean) =>
    page.evaluate((late) => {
      for (const old of document.querySelectorAll('steward-assistant')) old.remove()
      const fresh = document.createElement('steward-assistant') as HTMLElement & { token?: () => string }
      document.body.append(fresh)
      if (late) requestAnimationFrame(() => Object.assign(fresh, { token: () => 'fake-late' }))
    }, late)
  await panel.visit({ as: user })
  await expect(panel.launcher).toBeVisible()
  await without(true)
  await expect(panel.launcher).toBeVisible()
  await without(false)
  await expect.poll(() => told.filter((t) => t.startsWith('Steward'))).toEqual(['Steward is not shown: the element has no token-url and no token function'])
})

for (const [lang, sentence] of [['en', 'Sorry, this didn’t open.'], ['he', 'סליחה, זה לא נפתח.'], ['ru', 'Извините, не открылось.']] as const) {
  test(`a panel that does not come is told where it was asked for, and asked for again: ${lang}`, async ({ panel, user, page, baseURL }) => {
    const told: string[] = []
    page.on('console', (message) => told.push(message.text()))
    await page.route('**/steward/*', (route) => route.fulfill({ status: 403, body: 'This answers its own address only' }))
    await page.setViewportSize({ width: 320, height: 568 })
    await panel.visit({ as: user, query: `lang=${lang}` })
    await panel.launcher.click()
    await expect(panel.launcher.getByText(sentence)).toBeVisible()
    await expect(panel.launcher).toHaveAccessibleName(new RegExp(sentence))
    const [one, ...more] = told.filter((t) => t.startsWith('Steward'))
    expect(one).toMatch(new RegExp(`^Steward: 403 ${baseURL}/steward/panel.js\\?v=\\w+$`))
    expect(more).toEqual([])
    await page.mouse.move(0, 0)
    const box = await panel.launcher.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
    await page.unroute('**/steward/*')
    await panel.open()
    await page.locator('steward-assistant .grab').waitFor()
    await page.keyboard.press('Escape')
    await expect(panel.launcher).toBeVisible()
    await expect(panel.launcher.getByText(sentence)).toHaveCount(0)
  })
}

test('a list in Hebrew has its marks inside the panel', async ({ panel, user }) => {
  await (await panel.visit({ as: user, query: 'lang=he' })).open()
  await panel.ask('raw:"אלה:\\n\\n- ראשון\\n- שני"')
  await panel.rested()
  const list = panel.replies.locator('ul')
  await expect(list).toHaveCSS('direction', 'rtl')
  await expect(list).toHaveCSS('padding-right', '22px')
})

test('text on the screen is the same node when the turn ends', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('long held at 3')
  await expect(panel.replies).toContainText('Paragraph 3 says')
  const first = await panel.replies.locator('p').first().elementHandle()
  await panel.go(user)
  await panel.rested()
  expect(await first?.evaluate((node) => node.isConnected && node.textContent?.startsWith('Paragraph 1 says'))).toBe(true)
})

test('a role that is shut out, a signed-out page and an assistant that is off show nothing', async ({ panel, page, user }) => {
  for (const as of [`member-${user}`, 'nobody', 'off']) {
    const settled = page.waitForResponse((r) => r.url().includes(as.startsWith('member') ? '/v1/contract' : '/v1/status'))
    await panel.visit({ as })
    await settled
    await expect(page.locator('steward-assistant')).toHaveCount(1)
    await expect(panel.launcher).toHaveCount(0)
  }
})

test('two scripts and two elements give one launcher; a remount keeps the panel', async ({ panel, user, page }) => {
  await panel.visit({ as: user, query: 'two' })
  await expect(panel.launcher).toHaveCount(1)
  await panel.open()
  await panel.ask('slow answer')
  await expect(panel.replies).toContainText('word3')
  await page.evaluate(() => {
    for (const old of document.querySelectorAll('steward-assistant')) old.remove()
    const fresh = document.createElement('steward-assistant')
    fresh.setAttribute('token-url', '/session/token' + location.search)
    document.body.append(fresh)
  })
  await expect(panel.view).toHaveCount(1)
  await expect(panel.replies).toContainText('word25')
  await expect(panel.launcher).toBeHidden()
})

test('a page that changes without a load keeps the panel and its stream', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user, query: 'soft' })).open()
  await panel.ask('slow answer')
  await expect(panel.replies).toContainText('word3')
  await page.locator('nav.side a').nth(2).click()
  await expect(page).toHaveURL(/\/leads/)
  await expect(panel.view.locator('.sees')).toContainText('Leads')
  await expect(panel.replies).toContainText('word12')
})

test('a link of a reply is followed by the host’s own router', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user, path: '/leads', query: 'soft' })).open()
  await panel.ask('tool please')
  await page.evaluate(() => Object.assign(window, { stays: true }))
  await panel.view.getByRole('link', { name: 'Open the schedule' }).click()
  await expect(page).toHaveURL(/\/schedule/)
  expect(await page.evaluate(() => 'stays' in window)).toBe(true)
})

test('the page is told about, but nothing private or typed', async ({ panel, user }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('page please')
  await expect(panel.replies).toContainText('"route":"/schedule"')
  await panel.rested()
  const told = (await panel.replies.textContent()) ?? ''
  expect(told).toContain('"headings":["Schedule"]')
  for (const hidden of ['0541234567', 'secret', 'as=']) expect(told).not.toContain(hidden)
  await panel.view.getByRole('button', { name: 'Leave this page out' }).click()
  await panel.ask('page again')
  await expect(panel.replies.nth(1)).toContainText('null')
})

test('the shortcut opens, Escape closes, and the focus comes back', async ({ panel, user, page }) => {
  await panel.visit({ as: user })
  await expect(panel.launcher).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(panel.field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.view).toBeHidden()
  await expect(panel.launcher).toBeFocused()
})

test('the dock narrows the page and gives the room back', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  const inset = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--steward-dock-inset'))
  await expect.poll(inset).toBe('400px')
  const box = await page.locator('main').boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1041)
  await panel.view.getByRole('button', { name: 'Close' }).click()
  await expect.poll(inset).toBe('')
})

test('the launcher keeps clear of the host’s bar, and away under its drawer', async ({ panel, user, page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await panel.visit({ as: user, query: 'tall' })
  await expect(panel.launcher).toBeVisible()
  const bottom = async () => {
    const box = await panel.launcher.boundingBox()
    return 844 - ((box?.y ?? 0) + (box?.height ?? 0))
  }
  await expect.poll(bottom).toBeCloseTo(68, 0)
  await page.evaluate(() => document.querySelector<HTMLElement>('#tabs')?.style.setProperty('height', '90px'))
  await expect.poll(bottom).toBeCloseTo(98, 0)
  await page.evaluate(() => document.documentElement.setAttribute('data-drawer-open', ''))
  await expect(panel.launcher).toBeHidden()
  await page.evaluate(() => document.documentElement.removeAttribute('data-drawer-open'))
  await expect(panel.launcher).toBeVisible()
  // It is away for a moment only, which a slow machine may be too late to look at: that it was is kept.
  const wasAway = await panel.launcher.evaluateHandle((launcher) => {
    const seen: boolean[] = []
    new MutationObserver(() => seen.push(launcher.classList.contains('away'))).observe(launcher, { attributeFilter: ['class'] })
    return seen
  })
  await page.mouse.wheel(0, 300)
  await expect.poll(() => wasAway.evaluate((seen) => seen[0])).toBe(true)
  await expect(panel.launcher).toBeVisible()
})

test('a host’s own colours reach everything, also what is derived', async ({ panel, user, page }) => {
  await panel.visit({ as: user })
  await page.evaluate(() => {
    const own = new CSSStyleSheet()
    own.replaceSync('steward-assistant{--steward-accent:rgb(43,63,143);--steward-radius:4px}')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, own]
  })
  await expect(panel.launcher).toHaveCSS('background-color', 'rgb(43, 63, 143)')
  await expect(panel.launcher).toHaveCSS('border-radius', '6.4px')
  await panel.open()
  await expect(panel.view.locator('.mark')).toHaveCSS('color', 'rgb(43, 63, 143)')
  await expect(panel.view.locator('.composer')).toHaveCSS('border-radius', '5.6px')
})

test('a reload opens where it was, also further up', async ({ panel, user, page }) => {
  await (await panel.visit({ as: user })).open()
  await panel.ask('long answer')
  await panel.rested()
  await panel.view.locator('.below').click()
  await panel.log.hover()
  await page.mouse.wheel(0, -500)
  const fromEnd = () => panel.log.evaluate((e) => Math.round(e.scrollHeight - e.clientHeight - e.scrollTop))
  await expect.poll(fromEnd).toBe(500)
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain('"scroll":500')
  await page.reload()
  await expect(panel.replies).toContainText('Paragraph 40')
  await expect.poll(fromEnd).toBe(500)
})

test('a page that knows nothing of the dock is narrowed all the same', async ({ panel, user, page }) => {
  await panel.visit({ as: user })
  await page.evaluate(() => {
    const own = new CSSStyleSheet()
    own.replaceSync('body{padding-inline-end:0!important}')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, own]
  })
  await panel.open()
  const room = () => page.evaluate(() => getComputedStyle(document.documentElement).paddingRight)
  await expect.poll(room).toBe('400px')
  await panel.view.getByRole('button', { name: 'Close' }).click()
  await expect.poll(room).toBe('0px')
})
