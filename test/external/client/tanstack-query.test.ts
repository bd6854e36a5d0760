import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../../support/blocks.js'
import { cli } from '../../support/command.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { requireBuild, writeFiles } from '../../support/project.js'
import { mustRun, run } from '../../support/run.js'
import { skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// The page about TanStack Query with React: its files are type-checked, and its components rendered against its procedures.

const tools = join(root, 'test/external/client/tanstack-query')
const notInstalled = await install(tools)

/** The files of the page, by their path. */
const shown = Object.fromEntries(
  blocksOf('docs/guide/tanstack-query.md').flatMap(({ text }) => {
    const [, path, content] = /^\/\/ file: (\S+)\n([\s\S]*)$/.exec(text) ?? []
    return path === undefined ? [] : [[path, content ?? '']]
  }),
)

const compilerOptions = {
  ...{ target: 'es2022', module: 'preserve', moduleResolution: 'bundler', lib: ['es2023', 'dom'], jsx: 'react-jsx' },
  ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true, types: ['react'] },
}

/** The types that the page describes. */
const types = `import { queryOptions, skipToken, useQuery, useSuspenseQuery, QueryClient } from '@tanstack/react-query'
import type { RpcError } from 'rpc-gen/client'
import type { NoSuchUserData, User, UserId } from './client.gen.js'
import { rpc } from './rpc.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const is = <T extends true>(): T => true as T
const id = '1' as UserId

export function useTypes() {
  const found = useQuery(rpc.user.find.queryOptions([id]))
  is<Equal<typeof found.data, User | undefined>>()
  is<Equal<typeof found.error, RpcError<4040, NoSuchUserData> | Error | null>>()
  const skipped = useQuery(rpc.user.find.queryOptions(id ? { id } : skipToken))
  is<Equal<typeof skipped.data, User | undefined>>()
  const selected = useQuery({ ...rpc.user.find.queryOptions([id]), select: (user) => user.joined.getTime() })
  is<Equal<typeof selected.data, number | undefined>>()
  const { data } = useSuspenseQuery(rpc.user.find.queryOptions({ id }))
  is<Equal<typeof data, User>>()
  // @ts-expect-error not an id
  useQuery(rpc.user.find.queryOptions(['1']))
  const cached = new QueryClient().getQueryData(queryOptions(rpc.user.find.queryOptions([id])).queryKey)
  is<Equal<typeof cached, User | undefined>>()
}
`

/** Renders the components of the page, and prints what a user sees. */
const main = `import { Window } from 'happy-dom'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { Hono } from 'hono'
import { List } from './List.js'
import { Profile } from './Profile.js'
import { router } from './rpc.gen.js'
import { client, rpc } from './rpc.js'

const window = new Window()
Object.defineProperty(globalThis, 'navigator', { value: window.navigator, configurable: true })
Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
const { createRoot } = await import('react-dom/client')

const app = new Hono().route('/rpc', router)
const calls = []
let aborted = 0
globalThis.fetch = async (url, init) => {
  const { method, params } = JSON.parse(init.body)
  calls.push([method, params])
  init.signal?.addEventListener('abort', () => { aborted += 1 })
  if (params[0] === 'slow') return new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)))
  return app.request(new URL(url).pathname, { ...init, signal: undefined })
}

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const container = document.body.appendChild(document.createElement('div'))
const page = createRoot(container)
const show = (child) => act(async () => {
  page.render(createElement(QueryClientProvider, { client: queryClient }, child))
})
const seen = async () => {
  for (let turn = 0; turn < 20; turn += 1) await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
  return container.textContent
}
const click = () => act(async () => container.querySelector('button').click())

const log = {}
await show(createElement(Profile, { id: undefined }))
log.skipped = [await seen(), calls.length]
await show(createElement(Profile, { id: '0' }))
log.found = await seen()
await click()
log.renamed = await seen()
log.calls = calls.map(([method]) => method)
await show(createElement(Profile, { id: '9' }))
log.missing = (await seen()).replace(/on .*/, 'on a day')
await show(createElement(List))
log.list = await seen()
await click()
log.more = await seen()
log.keys = queryClient.getQueryCache().getAll().map(({ queryKey }) => queryKey)
const invalid = () => queryClient.getQueryCache().getAll().filter((each) => each.state.isInvalidated)
const before = invalid()
await queryClient.invalidateQueries({ queryKey: rpc.user.list.pathKey(), refetchType: 'none' })
log.invalid = invalid().filter((each) => !before.includes(each)).map(({ queryKey }) => queryKey[0].join('.'))
await show(createElement(Profile, { id: 'slow' }))
await show(null)
await seen()
log.aborted = aborted
console.log(JSON.stringify(log))
await window.happyDOM.close()
process.exit(0)
`

describe.skipIf(skipped('React and TanStack Query', notInstalled))('the page about TanStack Query', () => {
  let folder: string

  beforeAll(async () => {
    requireBuild()
    folder = writeFiles(temporaryFolder('tanstack-query'), {
      ...shown,
      'package.json': '{ "name": "own", "private": true, "type": "module" }',
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'], exclude: ['src/main.js'] }),
      'src/types.ts': types,
      'src/main.js': main,
    })
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, '@tanstack'), { recursive: true })
    mkdirSync(join(modules, '@types'))
    for (const name of [
      '@tanstack/react-query',
      '@types/react',
      '@types/react-dom',
      'happy-dom',
      'react',
      'react-dom',
    ]) {
      symlinkSync(join(tools, 'node_modules', name), join(modules, name))
    }
    symlinkSync(root, join(modules, 'rpc-gen'))
    symlinkSync(join(root, 'node_modules/hono'), join(modules, 'hono'))
    await mustRun(folder, process.execPath, cli, 'src/procedures', '--client', 'src/client.gen.ts')
  })

  test('has files and types that TypeScript accepts', async () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    expect(await run(folder, process.execPath, tsc, '-p', '.')).toEqual({ status: 0, output: '' })
  })

  test('shows results and errors, invalidates, skips, pages, and aborts', async () => {
    const outfile = join(folder, 'dist/main.js')
    const bundled = { bundle: true, platform: 'node', format: 'esm', jsx: 'automatic', logLevel: 'error' } as const
    const external = ['happy-dom', 'react', 'react-dom', '@tanstack/react-query']
    await build({ ...bundled, entryPoints: [join(folder, 'src/main.js')], outfile, external })
    const output = await mustRun(folder, process.execPath, pathToFileURL(outfile).pathname)
    expect(JSON.parse(output)).toEqual({
      skipped: ['Select a user.', 0],
      found: 'Adasince 1970Rename',
      renamed: 'Countesssince 1970Rename',
      calls: ['user.find', 'user.rename', 'user.find'],
      missing: 'There was no user 9 on a day',
      list: 'CountessGraceMore',
      more: 'CountessGraceEdsger',
      keys: [
        [['user', 'find'], { type: 'skipped' }],
        [['user', 'find'], { type: 'query', params: ['0'] }],
        [['user', 'find'], { type: 'query', params: ['9'] }],
        [['user', 'list'], { type: 'infinite', params: [0] }],
      ],
      invalid: ['user.list'],
      aborted: 1,
    })
  })
})
