import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Manifest, RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenRpcMethod } from '../runtime/openrpc/openrpc.js'
import type { RunningServer } from '../scripts/serving.mjs'
import { prepareShowcase, startShowcase } from '../scripts/showcase.mjs'
import { procedures } from './showcase/expected.js'
import { generate } from './support/generate.js'
import { install } from './support/install.js'
import { root } from './support/paths.js'
import { requireBuild } from './support/project.js'
import { mustRun } from './support/run.js'
import { skipped } from './support/skip.js'

const folder = join(root, 'test/openrpc')
const missing = await install(folder)
const isSkipped = skipped('OpenRPC documents judged by @open-rpc/schema-utils-js and test-coverage', missing)

const cases = readdirSync(join(root, 'fixtures/generate'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Returns the value at a path of a JSON document. */
interface Document {
  readonly methods: readonly { readonly name: string }[]
}

async function written(name: string): Promise<Document> {
  const cwd = join(root, 'fixtures/generate', name)
  const file = join(cwd, 'options.json')
  const options = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const { files } = await generate({
    paths: ['.'],
    out: 'expected.gen.ts',
    cwd,
    ...options,
    openrpc: 'openrpc.json',
    info: { title: 'RPC API', version: '0.0.0' },
  })
  return JSON.parse(files.find(({ path }) => path.endsWith('/openrpc.json'))?.text ?? '')
}

async function discovered(name: string): Promise<unknown> {
  const module = await import(pathToFileURL(join(root, 'fixtures/generate', name, 'expected.gen.ts')).href)
  const server = new RpcServer({ procedures: module.procedures as Manifest })
  return JSON.parse(JSON.stringify(await server.call('rpc.discover')))
}

describe.skipIf(isSkipped)('@open-rpc/schema-utils-js', () => {
  let validate: (document: unknown) => true | Error

  beforeAll(async () => {
    const entry = join(folder, 'node_modules/@open-rpc/schema-utils-js/build/index.js')
    const module = await import(pathToFileURL(entry).href)
    validate = (module.default ?? module).validateOpenRPCDocument
  })

  test('rejects invalid documents', () => {
    expect(validate({ openrpc: '1.4.1', info: { title: 'x', version: '1' }, methods: [{ name: 'x' }] })).not.toBe(true)
  })

  test.each(cases)('%s is valid', async (name) => {
    expect(validate(await written(name))).toBe(true)
  })
})

test.each(cases)('%s: the server returns the written document', async (name) => {
  const document = await written(name)
  expect(await discovered(name)).toEqual(document)
  expect(document.methods.length).toBeGreaterThan(0)
})

test('the params of each overload', async () => {
  const { methods } = await written('overloads')
  const all = methods.map((method) => {
    const overloads = (method as OpenRpcMethod)['x-overloads'] ?? []
    return [
      method.name,
      overloads.map(({ params }) => params.map(({ name, required, ['x-rest']: rest }) => [name, required, rest])),
    ]
  })
  expect(all.slice(0, 2)).toEqual([
    [
      'size',
      [
        [['value', true, undefined]],
        [
          ['value', true, undefined],
          ['deep', false, undefined],
        ],
      ],
    ],
    [
      'find',
      [
        [['id', true, undefined]],
        [
          ['name', true, undefined],
          ['limit', true, undefined],
        ],
        [
          ['key', true, undefined],
          ['limit', true, undefined],
          ['more', false, true],
        ],
      ],
    ],
  ])
})

describe.skipIf(isSkipped)('@open-rpc/test-coverage calls the showcase by its document', () => {
  let server: RunningServer

  beforeAll(async () => {
    requireBuild()
    prepareShowcase()
    server = await startShowcase()
  })

  afterAll(() => server?.stop())

  test('every response is correct', async () => {
    // Excluded methods fail whatever the call.
    const output = await mustRun(root, process.execPath, join(folder, 'coverage.mjs'), server.url, 'closeBooks')
    const calls = output.split('\n').filter((line) => line.startsWith('{"method"'))
    const requests = calls.map((line) => JSON.parse(line))
    expect(requests.filter(({ valid }) => !valid)).toEqual([])
    expect([...new Set(requests.map(({ method }) => method))]).toEqual(
      procedures.filter((name) => name !== 'closeBooks'),
    )
  })
})

test('every reference of every document resolves', async () => {
  for (const name of cases) {
    const document = (await written(name)) as { components?: { schemas?: object } }
    const names = Object.keys(document.components?.schemas ?? {})
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, to]) => to,
    )
    expect(new Set(refs), name).toEqual(new Set(names))
  }
})
