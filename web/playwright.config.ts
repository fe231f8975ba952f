import { defineConfig } from '@playwright/test'

// STEWARD_E2E_URL runs the tests that need no script of replies against a server that already runs; STEWARD_E2E_COMMAND
// starts another one in the fake server's place.
const own = 'http://127.0.0.1:8787'
const url = process.env['STEWARD_E2E_URL'] ?? own
const chromium = process.env['STEWARD_CHROMIUM'] ?? '/usr/bin/chromium'

export default defineConfig({
  testDir: 'e2e',
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
