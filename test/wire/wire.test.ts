import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Compatibility, RpcServer } from 'rpc-gen'
import { afterAll, describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/wire/procedures.gen.js'
import { procedures as scalars } from '../../fixtures/wire/scalars/procedures.gen.js'
import { generate } from '../support/generate.js'
import { type EntryPoint, entryPoints } from '../support/listen.js'
import { root } from '../support/paths.js'
import { type Group, groups, wireCases, writeResponse } from './cases.js'
import { specified } from './specified.js'

const folder = join(root, 'fixtures/wire')
const update = process.env['UPDATE_FIXTURES'] === '1'

const onError = () => {}
const server = new RpcServer({ procedures, onError })
const scalarServer = new RpcServer({ procedures: scalars, onError })

const protocols = {
  jsonrpc: { name: 'json-rpc', sent: 'application/json', received: 'application/json' },
  xmlrpc: { name: 'xml-rpc', sent: 'text/xml', received: 'text/xml; charset=utf-8' },
} as const

const servers = new Map<string, RpcServer>([['undefined', server]])

/** The server with some switches; there is one for each set of them. */
function serverWith(compatibility: Compatibility | undefined): RpcServer {
  const key = `${JSON.stringify(compatibility)}`
  const made = servers.get(key) ?? new RpcServer({ procedures, onError, ...(compatibility && { compatibility }) })
  servers.set(key, made)
  return made
}

function protocolOf(group: Group): keyof typeof protocols {
  return group.endsWith('jsonrpc') ? 'jsonrpc' : 'xmlrpc'
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
    const { sent, received } = protocols[protocolOf(group)]

    test.each(wireCases(group))('$name', async ({ name, headers, compatibility, body, status, response: expected }) => {
      const served = group.startsWith('scalars/') ? scalarServer : serverWith(compatibility)
      const entryPoint = await entryPointOf(served)
      const response = await entryPoint.request({ method: 'POST', headers: { 'Content-Type': sent, ...headers }, body })
      const text = await response.text()
      if (update) writeResponse(group, name, response.status, text)
      else expect([response.status, text]).toEqual([status, expected])
      expect(response.headers.get('content-type')).toBe(response.status === 204 ? null : received)
      expect(text).not.toMatch(/hunter2|node_modules|\bat .+:\d+:\d+/)
    })
  })
})

// While the responses are written, `expected` is that of before.
describe.skipIf(update).each(['compatibility/jsonrpc', 'compatibility/xmlrpc'] as const)(
  'server.handle, %s',
  (group) => {
    const { name: protocol } = protocols[protocolOf(group)]

    test.each(wireCases(group))('$name', async ({ compatibility, body, response: expected }) => {
      const response = await serverWith(compatibility).handle(new TextDecoder().decode(body), { protocol })
      expect(response ?? '').toBe(expected)
    })
  },
)

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
  const { status, response = '' } = wireCases('jsonrpc').find((each) => each.name === name) ?? {}
  if (expected === undefined) return expect([status, response]).toEqual([204, ''])
  // "data … may be omitted" (section 5.1): the examples have none.
  const withoutData = JSON.parse(response, (key, value) => (key === 'data' ? undefined : value))
  expect(withoutData).toEqual(expected)
  expect(status).toBe(200)
})
