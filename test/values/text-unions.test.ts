import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RpcServer } from 'rpc-gen'
import { createClient, xmlRpc } from 'rpc-gen/client'
import { beforeAll, describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/text-unions/expected.gen.js'
import { generate } from '../support/generate.js'
import { fetchFrom } from '../support/json-rpc.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Templates and literals beside types that JSON has as strings: from a generated client to the server and back.

const router = new RpcServer({ procedures }).router()
const fetch = fetchFrom(router)
const bytes = new Uint8Array([182, 137, 222])

let clientModule: { createClient(url: string, options: object): { $call(name: string, params: unknown[]): unknown } }

beforeAll(async () => {
  const cwd = join(root, 'fixtures/generate/text-unions')
  const { files } = await generate({ paths: ['.'], out: 'x.gen.ts', cwd, client: 'client.ts' })
  const path = join(temporaryFolder('text-unions'), 'client.ts')
  writeFileSync(path, files.find((each) => each.path.endsWith('/client.ts'))?.text ?? '')
  clientModule = await import(pathToFileURL(path).href)
})

describe.each([
  ['JSON-RPC', {}],
  ['XML-RPC', { protocol: xmlRpc }],
])('%s', (_name, protocol) => {
  const call = (name: string, ...params: unknown[]) =>
    clientModule.createClient('https://example.org/', { fetch, ...protocol }).$call(name, params)

  test.each([['token:1'], [bytes], [new Uint8Array()]])('a token or bytes: %s', async (key) => {
    expect(await call('whose', key)).toEqual(key)
  })

  test('a template or a Date, a URL, a bigint', async () => {
    expect(await call('results', 'text')).toEqual({ at: 'in 2 days', link: '/x', count: '5%' })
    expect(await call('results', '')).toEqual({ at: new Date(0), link: new URL('http://a.test/'), count: 5n })
  })

  test('the server decodes each argument to the value that was sent', async () => {
    const names = (...params: unknown[]) => call('kinds', ...params)
    expect(await names('in 2 days', '/x', '5%', 'not-found', 0)).toEqual([
      'string',
      'string',
      'string',
      'string',
      'number',
    ])
    expect(await names('in 2 days', '#x', '5%', 'a-b', 0)).toEqual(['string', 'string', 'string', 'string', 'number'])
    const others = await names(new Date(0), new URL('http://a.test/'), 5n, bytes, bytes)
    expect(others).toEqual(['Date', 'URL', 'bigint', 'Uint8Array', 'Uint8Array'])
  })

  test.each([
    [['token:1', bytes, ['a']], 'with a token'],
    [[bytes, ['a']], 'without'],
    [[bytes], 'without'],
  ])('an overload with a token in front: %j', async (params, expected) => {
    expect(await call('addTorrent', ...params)).toBe(expected)
  })

  // `tok1` is base64, and is a string in the second place only.
  test.each([[['token:1', bytes]], [[bytes, 'tok1']]])('a pair that its first element decides: %j', async (pair) => {
    expect(await call('pairs', pair)).toEqual(pair)
  })

  test.each([
    { key: 'token:1', value: bytes },
    { key: bytes, value: 'tok1' },
  ])('a struct: %j', async (of) => {
    expect(await call('members', of)).toEqual({ in: of })
  })
})

test('a string that is neither a token nor base64 is rejected', async () => {
  const client = createClient('https://example.org/', { fetch })
  await expect(client.$call('whose', ['tok!'])).rejects.toMatchObject({ code: -32602 })
})
