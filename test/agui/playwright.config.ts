import { defineConfig } from '@playwright/test'

const chromium = process.env['STEWARD_CHROMIUM'] ?? '/usr/bin/chromium'
// In CI a machine may be slow and busy with other things: only what fails there three times is a fault, and what failed
// before it passed is listed as flaky.
const ci = Boolean(process.env['CI'])

export default defineConfig({
  globalSetup: './stack/build.ts',
  workers: 2,
  forbidOnly: ci,
  retries: ci ? 2 : 0,
  timeout: ci ? 90_000 : 30_000,
  expect: { timeout: ci ? 20_000 : 10_000 },
  reporter: [['list']],
  projects: [
    { name: 'client', testDir: 'client' },
    {
      name: 'page',
      testDir: 'page',
      use: {
        viewport: { width: 1100, height: 800 },
        launchOptions: { executablePath: chromium, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] },
      },
    },
  ],
})
