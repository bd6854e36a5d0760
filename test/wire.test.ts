import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Compatibility, RpcServer } from 'rpc-gen'
import { afterAll, describe, expect, test } from 'vitest'
import { procedures } from '../fixtures/wire/procedures.gen.js'
import { procedures as scalars } from '../fixtures/wire/scalars/procedures.gen.js'
import { generate } from './support/generate.js'
import { type EntryPoint, entryPoints } from './support/listen.js'
import { root } from './support/paths.js'
import { specified } from './wire/specified.js'

const folder = join(root, 'fixtures/wire')
const update = process.env['UPDATE_FIXTURES'] === '1'

const onError = () => {}
const server = new RpcServer({ procedures, onError })
const scalarServer = new RpcServer({ procedures: scalars, onError })

/** What a case has beside its request and its response. */
interface Meta {
  /** 200 when absent. */
  readonly status?: number
  /** Headers of the request, beside the protocol's own Content-Type. */
  readonly request?: Readonly<Record<string, string>>
  /** The switches of the server, of cases in `compatibility`. */
  readonly compatibility?: Compatibility
}

const protocols = {
  jsonrpc: { name: 'json-rpc', extension: 'json', sent: 'application/json', received: 'application/json' },
  xmlrpc: { name: 'xml-rpc', extension: 'xml', sent: 'text/xml', received: 'text/xml; charset=utf-8' },
} as const

const groups = [
  ...(['jsonrpc', 'xmlrpc', 'compatibility/jsonrpc', 'compatibility/xmlrpc'] as const),
  ...(['scalars/jsonrpc', 'scalars/xmlrpc'] as const),
] as const

const servers = new Map<string, RpcServer>([['undefined', server]])

/** The server with some switches; there is one for each set of them. */
function serverWith(compatibility: Compatibility | undefined): RpcServer {
  const key = `${JSON.stringify(compatibility)}`
  const made = servers.get(key) ?? new RpcServer({ procedures, onError, ...(compatibility && { compatibility }) })
  servers.set(key, made)
  return made
}

function protocolOf(group: (typeof groups)[number]): keyof typeof protocols {
  return group.endsWith('jsonrpc') ? 'jsonrpc' : 'xmlrpc'
}

function readMeta(path: string): Meta {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

describe.each(Object.entries(entryPoints))('%s', (_, open) => {
  const opened = new Map<RpcServer, Promise<EntryPoint>>()
  const entryPointOf = (served: RpcServer) => {
    const entryPoint = opened.get(served) ?? open(served)
    opened.set(served, entryPoint)
    return entryPoint
  }
  afterAll(async () => {
    for (const entryPoint of opened.values()) (await entryPoint).close()
  })

  describe.each(groups)('%s', (group) => {
    const { extension, sent, received } = protocols[protocolOf(group)]

    test.each(readdirSync(join(folder, group)))('%s', async (name) => {
      const at = (file: string) => join(folder, group, name, file)
      const { status = 200, request = {}, compatibility } = readMeta(at('meta.json'))
      const served = group.startsWith('scalars/') ? scalarServer : serverWith(compatibility)
      const entryPoint = await entryPointOf(served)
      const body = readFileSync(at(`request.${extension}`))
      const response = await entryPoint.request({ method: 'POST', headers: { 'Content-Type': sent, ...request }, body })
      const text = await response.text()
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe(status === 204 ? null : received)
      expect(text).not.toMatch(/hunter2|node_modules|\bat .+:\d+:\d+/)
      const expected = at(`response.${extension}`)
      if (update) writeFileSync(expected, text)
      // No response differs from an empty response: review a new case before it is accepted.
      expect(text).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : undefined)
    })
  })
})

describe.each(['compatibility/jsonrpc', 'compatibility/xmlrpc'] as const)('server.handle, %s', (group) => {
  const { extension, name: protocol } = protocols[protocolOf(group)]

  test.each(readdirSync(join(folder, group)))('%s', async (name) => {
    const read = (file: string) => readFileSync(join(folder, group, name, file), 'utf8')
    const { compatibility } = readMeta(join(folder, group, name, 'meta.json'))
    const response = await serverWith(compatibility).handle(read(`request.${extension}`), { protocol })
    expect(response ?? '').toBe(read(`response.${extension}`))
  })
})

test.each(['.', 'scalars', '../../test/clients/server', '../../test/hosts'])(
  'the procedures of %s are compiled from the current sources',
  async (path) => {
    const out = join(folder, path, 'procedures.gen.ts')
    const codecs = join(folder, path, 'values.ts')
    const scalars = path === 'scalars' ? { Decimal: codecs, Money: codecs, Instant: codecs } : {}
    const { files, diagnostics } = await generate({ paths: [join(folder, path, 'procedures.ts')], out, scalars })
    expect(diagnostics).toEqual([])
    if (update) writeFileSync(out, files[0]?.text ?? '')
    expect(files[0]?.text).toBe(readFileSync(out, 'utf8'))
  },
)

test.each(Object.entries(specified))('the specification has the same response to %s', (name, expected) => {
  const response = readFileSync(join(folder, 'jsonrpc', name, 'response.json'), 'utf8')
  const { status = 200 } = readMeta(join(folder, 'jsonrpc', name, 'meta.json'))
  if (expected === undefined) return expect([status, response]).toEqual([204, ''])
  // "data … may be omitted" (section 5.1): the examples have none.
  const withoutData = JSON.parse(response, (key, value) => (key === 'data' ? undefined : value))
  expect(withoutData).toEqual(expected)
  expect(status).toBe(200)
})
