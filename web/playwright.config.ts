import { defineConfig } from '@playwright/test'

// STEWARD_E2E_URL is a real product's address: then only what needs no script of replies is run, on that product's pages.
// STEWARD_E2E_COMMAND starts that product; without it, it runs already.
const own = 'http://127.0.0.1:8787'
const url = process.env['STEWARD_E2E_URL'] ?? own
const chromium = process.env['STEWARD_CHROMIUM'] ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'e2e',
  ...(process.env['STEWARD_E2E_URL'] ? { testMatch: 'product.spec.ts' } : {}),
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 20_000,
  expect: { timeout: 5_000 },
  reporter: [['list']],
  use: {
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] },
  },
  ...(process.env['STEWARD_E2E_URL'] && !process.env['STEWARD_E2E_COMMAND']
    ? {}
    : { webServer: { command: process.env['STEWARD_E2E_COMMAND'] ?? 'node e2e/fake.mjs 8787', url, reuseExistingServer: !process.env['CI'] } }),
})
