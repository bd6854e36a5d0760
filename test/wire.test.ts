import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RpcServer } from 'rpc-gen'
import { generate } from 'rpc-gen/generator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { procedures } from '../fixtures/wire/procedures.gen.js'
import { type EntryPoint, entryPoints } from './http/listen.js'
import { specified } from './wire/specified.js'

const folder = fileURLToPath(new URL('../fixtures/wire', import.meta.url))
const update = process.env['UPDATE_FIXTURES'] === '1'

const server = new RpcServer({ procedures, onError: () => {} })

/** What a case has beside its request and its response. */
interface Meta {
  /** 200 when absent. */
  readonly status?: number
  /** Headers of the request, beside the protocol's own Content-Type. */
  readonly request?: Readonly<Record<string, string>>
}

const protocols = {
  jsonrpc: { extension: 'json', sent: 'application/json', answered: 'application/json' },
  xmlrpc: { extension: 'xml', sent: 'text/xml', answered: 'text/xml; charset=utf-8' },
} as const

function readMeta(path: string): Meta {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

describe.each(Object.entries(entryPoints))('%s', (_, open) => {
  let entryPoint: EntryPoint
  beforeAll(async () => {
    entryPoint = await open(server)
  })
  afterAll(() => entryPoint.close())

  describe.each(['jsonrpc', 'xmlrpc'] as const)('%s', (protocol) => {
    const { extension, sent, answered } = protocols[protocol]

    test.each(readdirSync(join(folder, protocol)))('%s', async (name) => {
      const at = (file: string) => join(folder, protocol, name, file)
      const { status = 200, request = {} } = readMeta(at('meta.json'))
      const body = readFileSync(at(`request.${extension}`))
      const response = await entryPoint.request({ method: 'POST', headers: { 'Content-Type': sent, ...request }, body })
      const text = await response.text()
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe(status === 204 ? null : answered)
      expect(text).not.toMatch(/hunter2|node_modules|\bat .+:\d+:\d+/)
      const expected = at(`response.${extension}`)
      if (update) writeFileSync(expected, text)
      // No response is no empty response: a new case is looked at before it counts.
      expect(text).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : undefined)
    })
  })
})

test.each(['.', '../../test/clients/server', '../../test/hosts'])(
  'the procedures of %s are compiled as they stand',
  async (path) => {
    const out = join(folder, path, 'procedures.gen.ts')
    const { files, diagnostics } = await generate({ paths: [join(folder, path, 'procedures.ts')], out })
    expect(diagnostics).toEqual([])
    if (update) writeFileSync(out, files[0]?.text ?? '')
    expect(files[0]?.text).toBe(readFileSync(out, 'utf8'))
  },
)

test.each(Object.entries(specified))('the specification answers %s like us', (name, answer) => {
  const response = readFileSync(join(folder, 'jsonrpc', name, 'response.json'), 'utf8')
  const { status = 200 } = readMeta(join(folder, 'jsonrpc', name, 'meta.json'))
  if (answer === undefined) return expect([status, response]).toEqual([204, ''])
  // "data … may be omitted" (section 5.1): the examples have none.
  const withoutData = JSON.parse(response, (key, value) => (key === 'data' ? undefined : value))
  expect(withoutData).toEqual(answer)
  expect(status).toBe(200)
})
