import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['client/test/**/*.test.ts', 'widget/test/**/*.test.ts'], environment: 'node' } })
