import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../stack/stack.ts'

/** Writes a message as a member does. */
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

test('a question is answered through a server tool, and a reload shows it again', async ({ stack, page }) => {
  await stack.model.script(
    { say: 'Let me look. ', calls: [{ tool: 'stock-shelves', input: {} }] }, { say: 'Seven boxes of tea, no coffee.' }, { say: 'Aisle four.' },
  )
  await page.goto(`${stack.host.url}/?as=${randomUUID()}`)
  await ask(page, 'What is left?')
  const answers = page.locator('.assistant')
  await expect(answers.last()).toContainText('Seven boxes of tea, no coffee.')
  await expect(page.locator('.tool')).toHaveText(['stock.shelves'])
  await expect(page.locator('.error')).toHaveCount(0)

  await page.reload()
  await expect(page.locator('.user')).toHaveText(['What is left?'])
  await expect(answers.last()).toContainText('Seven boxes of tea, no coffee.')
  await ask(page, 'Where is it?')
  await expect(answers.last()).toContainText('Aisle four.')
  await expect(page.locator('.user')).toHaveText(['What is left?', 'Where is it?'])
  const { requests } = await stack.model.seen()
  expect(requests).toHaveLength(3)
})

test('a browser tool runs in the page, and the answer follows', async ({ stack, page }) => {
  await stack.model.script({ calls: [{ tool: 'highlight', input: { shelf: 'a1' } }] }, { say: 'The tea is marked.' })
  await page.goto(`${stack.host.url}/?as=${randomUUID()}`)
  await ask(page, 'Show me the tea')
  await expect(page.locator('#shelf-a1')).toHaveClass(/marked/)
  await expect(page.locator('.assistant').last()).toContainText('The tea is marked.')
  await expect(page.locator('.error')).toHaveCount(0)
  const { requests } = await stack.model.seen()
  expect(requests).toHaveLength(2)
  expect(JSON.stringify(requests[1]!.messages)).toContain('marked')
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/browser-tool.png` })

  await stack.model.script({ say: 'It is marked already.' })
  await ask(page, 'Again')
  await expect(page.locator('.assistant').last()).toContainText('It is marked already.')
})

test('an error of the model is shown, and the next message is answered', async ({ stack, page }) => {
  await stack.model.script({ say: 'Half of an', end: { way: 'fail', fault: { type: 'overloaded_error' } } })
  await page.goto(`${stack.host.url}/?as=${randomUUID()}`)
  await ask(page, 'Tell me')
  await expect(page.locator('.error')).toBeVisible()
  await stack.model.script({ say: 'All is well again.' })
  await ask(page, 'And now?')
  await expect(page.locator('.assistant').last()).toContainText('All is well again.')
})

test('a conversation that went on in another tab is reloaded, and then goes on', async ({ stack, page, context }) => {
  await stack.model.script({ say: 'One.' }, { say: 'Two.' }, { say: 'Three.' })
  const address = `${stack.host.url}/?as=${randomUUID()}`
  await page.goto(address)
  await ask(page, 'First')
  await expect(page.locator('.assistant').last()).toContainText('One.')
  const thread = await page.evaluate(() => sessionStorage.getItem('thread'))
  const other = await context.newPage()
  await other.addInitScript((id) => sessionStorage.setItem('thread', id ?? ''), thread)
  await other.goto(address)
  await expect(other.locator('.assistant').last()).toContainText('One.')
  await ask(other, 'Second')
  await expect(other.locator('.assistant').last()).toContainText('Two.')

  await ask(page, 'Third')
  await expect(page.locator('.user'), 'the page reloads, and shows what the server has').toHaveText(['First', 'Second'])
  await ask(page, 'Third')
  await expect(page.locator('.assistant').last()).toContainText('Three.')
})
