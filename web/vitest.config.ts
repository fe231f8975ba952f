import { defineConfig } from 'vitest/config'

// Some texts are drawn once for each of their letters, which takes a busy machine a while.
export default defineConfig({ test: { include: ['client/test/**/*.test.ts', 'widget/test/**/*.test.ts'], environment: 'node', testTimeout: 30_000 } })
