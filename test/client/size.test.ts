import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { sizeOf } from '../package/size.js'
import { root } from '../support/paths.js'

const entryPoint = join(root, 'runtime/client/index.ts')

interface Bundle {
  readonly gzip: number
  /** The files of this project that are in it, and the packages. */
  readonly inputs: readonly string[]
}

/** What a page loads that imports these names. */
async function bundle(...names: string[]): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names.join(', ')} } from ${JSON.stringify(entryPoint)}`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    // What is loaded later is another file.
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
  })
  const output = metafile.outputs['out/stdin.js']
  const file = outputFiles.find(({ path }) => path.endsWith('/stdin.js'))
  const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  const inputs = used.map(([path]) => path).filter((path) => path !== '<stdin>')
  return { gzip: gzipSync(file?.contents ?? '', { level: 9 }).length, inputs: inputs.sort() }
}

describe('loaded modules', () => {
  test('of a client of JSON: at most 4.8 kB, and nothing of the server', async () => {
    const { gzip, inputs } = await bundle('createClient', 'RpcError', 'RpcTransportError')
    expect(inputs.filter((path) => !path.startsWith('runtime/client/'))).toEqual([
      'runtime/error.ts',
      'runtime/platform/on-abort.ts',
    ])
    expect(gzip).toBeLessThanOrEqual(4850)
  })

  test('of one that converts by a table: without the XML parser', async () => {
    const { gzip, inputs } = await bundle('createClient', 'tableCodec')
    expect(inputs.filter((path) => /xml|hono|server|node_modules/.test(path))).toEqual([])
    expect(gzip).toBeLessThanOrEqual(9_600)
  })

  test('of one of XML-RPC: no server, no package', async () => {
    const { gzip, inputs } = await bundle('createClient', 'xmlRpc')
    const shared = /^runtime\/(?:client|description|jsonrpc|platform|values|xmlrpc)\/|^runtime\/error\.ts$/
    expect(inputs.filter((path) => !shared.test(path) || path.endsWith('client/codec.ts'))).toEqual([])
    expect(gzip).toBeLessThanOrEqual(18_000)
  })
})

test('WebSocket is loaded only if it is imported', async () => {
  const { inputs } = await bundle('createClient', 'tableCodec', 'xmlRpc')
  expect(inputs.filter((path) => /websocket|connection/.test(path))).toEqual([])
})

// The published chunks contain more than one module: a bundler drops what is unused statement by statement.
describe('the published client, bundled by a user', () => {
  test.each([
    { what: 'JSON-RPC', names: 'createClient, RpcError, RpcTransportError', most: 5150 },
    { what: 'JSON-RPC with a table', names: 'createClient, tableCodec', most: 9870 },
    { what: 'XML-RPC', names: 'createClient, xmlRpc', most: 18_050 },
  ])('$what: at most $most bytes', async ({ names, most }) => {
    const { first, later } = await sizeOf(`export { ${names} } from '@dist/client/index.js'`)
    // The first subscription loads it.
    expect(Object.keys(later)).toEqual(['events'])
    expect(later['events']).toBeLessThanOrEqual(2120)
    expect(first).toBeLessThanOrEqual(most)
  })

  test('JSON-RPC over WebSocket: at most 8850 bytes', async () => {
    const both = `export { createClient } from '@dist/client/index.js'; export { webSocket } from '@dist/client/websocket.js'`
    const { first, later } = await sizeOf(both)
    expect(Object.keys(later)).toEqual(['events'])
    expect(first).toBeLessThanOrEqual(8850)
  })
})

test('options of TanStack Query: at most 800 bytes more, only where they are imported', async () => {
  const createClient = `export { createClient } from '@dist/client/index.js'`
  const both = `${createClient}; export { tanstackQuery } from '@dist/client/tanstack-query.js'`
  const [alone, more] = [await sizeOf(createClient), await sizeOf(both)]
  expect(more.later).toEqual(alone.later)
  expect(more.first - alone.first).toBeLessThanOrEqual(800)
})
