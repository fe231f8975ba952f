import { createServer, type AddressInfo } from 'node:net'
import { defineConfig } from '@playwright/test'

// STEWARD_E2E_URL is a real product's address: then only what needs no script of replies is run, on that product's pages.
// STEWARD_E2E_COMMAND starts that product; without it, it runs already.
const product = process.env['STEWARD_E2E_URL']
const command = process.env['STEWARD_E2E_COMMAND']
const chromium = process.env['STEWARD_CHROMIUM'] ?? '/usr/bin/chromium'
// In CI a machine may be slow and busy with other things: only what fails there three times is a fault, and what failed
// before it passed is listed as flaky.
const ci = Boolean(process.env['CI'])

// Each run has a server of its own, also beside another run. The workers read this file too, and take the run's port.
if (!product) process.env['STEWARD_E2E_PORT'] ??= String(await freePort())
const port = process.env['STEWARD_E2E_PORT'] ?? ''
const url = product ?? `http://127.0.0.1:${port}`

export default defineConfig({
  testDir: 'e2e',
  ...(product ? { testMatch: 'product.spec.ts' } : {}),
  fullyParallel: true,
  workers: 2,
  forbidOnly: ci,
  retries: ci ? 2 : 0,
  timeout: ci ? 60_000 : 20_000,
  expect: { timeout: ci ? 15_000 : 5_000 },
  reporter: [['list']],
  use: {
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] },
  },
  ...(product && !command ? {} : { webServer: { command: command ?? `node e2e/fake.mjs ${port}`, url, reuseExistingServer: Boolean(product) && !ci } }),
})

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
