import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { blocksOf } from '../support/blocks.js'
import { cli } from '../support/command.js'
import { install } from '../support/install.js'
import { call, postJson } from '../support/json-rpc.js'
import { pack } from '../support/package.js'
import { root } from '../support/paths.js'
import { freePort, startProcess } from '../support/process.js'
import { writeFiles } from '../support/project.js'
import { mustRun, runWith } from '../support/run.js'
import { skipped } from '../support/skip.js'

// The page of Next.js in a project as create-next-app makes it, built by its own command. What decides the endings of imports is tested
// without it in cli.test.ts.

const tools = join(root, 'test/external/frameworks')
const notInstalled = await install(tools)
const folder = join(tools, 'dist/next')
const next = join(tools, 'node_modules/next/dist/bin/next')

/** The tsconfig of create-next-app 16.4 with `src/`. */
const tsconfig = {
  compilerOptions: {
    target: 'ES2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: 'react-jsx',
    incremental: true,
    plugins: [{ name: 'next' }],
    paths: { '@/*': ['./src/*'] },
  },
  include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts', '**/*.mts'],
  exclude: ['node_modules'],
}

/** The files that the page shows, by their path. */
const shown = Object.fromEntries(
  blocksOf('docs/guide/hosts/nextjs.md').flatMap(({ text }) => {
    const [, path, content] = /^\/\/ file: (\S+)\n([\s\S]*)$/.exec(text) ?? []
    return path === undefined ? [] : [[path, content ?? '']]
  }),
)

const add = (version: number, type: string) => `import type { Int } from 'rpc-gen'

/** @rpc */
export function add(a: Int, b: Int): Int {
  return a + b
}

/** @rpc */
export function who(a: ${type}): string {
  return \`${version} \${Object.keys(a).sort()}\`
}
`

const project = {
  'package.json': '{ "name": "shop", "private": true }',
  'tsconfig.json': JSON.stringify(tsconfig),
  // Without it, Next.js takes the folder of this repository as the root.
  'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname + "/../.." } }\n',
  'rpc.config.json': '{ "paths": "src/procedures", "out": "src/rpc.gen.ts" }',
  'src/app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  'src/app/page.tsx': `import { server } from '@/server'

export const dynamic = 'force-dynamic'

export default async function Page() {
  return <p>sum: {await server.call('add', [1, 2])}</p>
}
`,
  'src/procedures/add.ts': add(0, '{ name: string }'),
  ...shown,
}

const variables = { NEXT_TELEMETRY_DISABLED: '1' }
const served = { env: { ...process.env, ...variables }, cwd: folder }

describe.skipIf(skipped('next build', notInstalled))('Next.js', () => {
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    writeFiles(folder, project)
    const { tarball } = await pack()
    const packages = join(folder, 'node_modules')
    mkdirSync(packages)
    await mustRun(packages, 'tar', 'xzf', tarball)
    cpSync(join(packages, 'package'), join(packages, 'rpc-gen'), { recursive: true })
    for (const name of ['hono', '@standard-schema']) {
      cpSync(join(root, 'node_modules', name), join(packages, name), { recursive: true })
    }
    await mustRun(folder, process.execPath, cli)
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([[['--webpack']], [['--turbopack']]])('next build %s', async (flags) => {
    const { status, output } = await runWith(variables, folder, process.execPath, next, 'build', ...flags)
    expect(status, output).toBe(0)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const isReady = (log: string) => log.includes('Ready')
    const command = [process.execPath, next, 'start', '-H', '127.0.0.1', '-p', `${port}`]
    const { stop } = await startProcess(command, { ...served, isReady, detached: true })
    onTestFinished(stop)
    const response = await fetch(`${origin}/rpc`, postJson(call('add', [1, 2])))
    expect(await response.json()).toEqual({ jsonrpc: '2.0', result: 3, id: 1 })
    expect(await (await fetch(`${origin}/rpc`, { headers: { Accept: 'text/html' } })).text()).toContain('add')
    expect(await (await fetch(origin)).text()).toMatch(/sum: (?:<!-- -->)?3/)
  })

  test('rpc-gen dev --no-restart -- next dev serves changed procedures without a restart', async () => {
    const port = await freePort()
    const command = [process.execPath, next, 'dev', '-H', '127.0.0.1', '-p', `${port}`]
    const dev = [process.execPath, cli, 'dev', '--no-restart', '--', ...command]
    const { log, kill, ended } = await startProcess(dev, { ...served, isReady: (text) => text.includes('Ready') })
    onTestFinished(async () => {
      kill('SIGTERM')
      await ended
    })
    const who = async () => {
      const sent = { age: 36, name: 'Ada' }
      const response = await fetch(`http://127.0.0.1:${port}/rpc`, postJson(call('who', [sent])))
      const text = await response.text()
      // An error of a compilation is a page.
      return /"result":"(.*?)"/.exec(text)?.[1] ?? text
    }
    await expect.poll(who, { interval: 500 }).toBe('0 name')
    for (const version of [1, 2, 3]) {
      const isOdd = version % 2 === 1
      writeFiles(folder, {
        'src/procedures/add.ts': add(version, isOdd ? '{ name: string; age?: number }' : '{ name: string }'),
      })
      const expected = `${version} ${isOdd ? 'age,name' : 'name'}`
      while ((await who()) !== expected) await sleep(100)
      // It does not go back.
      for (let i = 0; i < 5; i += 1) expect(await who()).toBe(expected)
    }
    expect(log().match(/Ready/g)).toHaveLength(1)
  })
})
