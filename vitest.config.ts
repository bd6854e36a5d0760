import { defineConfig } from 'vitest/config'
import { paths } from './test/support/paths.js'

export default defineConfig({
  resolve: {
    alias: Object.entries(paths).map(([name, [path = '']]) => ({ find: new RegExp(`^${name}$`), replacement: path })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/support/global-setup.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
