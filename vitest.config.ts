import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { paths } from './test/support/paths.js'

/** Nothing listens there: a test that installs a package fails on every machine. */
const offline = { npm_config_registry: 'http://127.0.0.1:9/' }

/** The tests that need more than the packages of the project: other packages, servers, compilers, runtimes, a browser. */
const external = 'test/external/**/*.test.ts'

const ignored = ['**/node_modules/**', '**/dist/**']

/** The part of Python clients that is written in Python is a text, as in the build. */
const pythonText = {
  name: 'python-text',
  load: (path: string) =>
    path.endsWith('.py') ? `export default ${JSON.stringify(readFileSync(path, 'utf8'))}` : undefined,
}

export default defineConfig({
  plugins: [pythonText],
  resolve: {
    alias: Object.entries(paths).map(([name, [path = '']]) => ({ find: new RegExp(`^${name}$`), replacement: path })),
  },
  test: {
    globalSetup: './test/support/global-setup.ts',
    coverage: { include: ['runtime/**', 'generator/**'], reporter: ['text-summary', 'html'] },
    // One more than cores: some tests wait for processes and timers.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A machine may be busy: the default is one second.
    expect: { poll: { timeout: 30_000 }, requireAssertions: true },
    projects: [
      {
        extends: true,
        // One worker loads its modules, among them TypeScript, once: a test undoes what it changes in the process.
        test: {
          name: 'local',
          include: ['test/**/*.test.ts'],
          exclude: [...ignored, external],
          isolate: false,
          env: offline,
        },
      },
      // Downloads take their time.
      {
        extends: true,
        test: { name: 'external', include: [external], exclude: ignored, testTimeout: 600_000, hookTimeout: 600_000 },
      },
    ],
  },
})
