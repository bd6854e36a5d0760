import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Manifest, RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import type { OpenRpcMethod } from '../../runtime/description/openrpc.js'
import { root } from '../support/paths.js'
import { cases, written } from './written.js'

async function discovered(name: string): Promise<unknown> {
  const module = await import(pathToFileURL(join(root, 'fixtures/generate', name, 'expected.gen.ts')).href)
  const server = new RpcServer({ procedures: module.procedures as Manifest })
  return JSON.parse(JSON.stringify(await server.call('rpc.discover')))
}

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
