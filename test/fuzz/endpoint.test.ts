import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appOf, json, jsonResponse, post, request, xml, xmlResponse } from '../support/requests.js'
import { wireCases } from '../wire/cases.js'
import { call, mutated } from './documents.js'
import { expectJsonRpc, expectNoTrace, expectXmlRpc } from './responses.js'
import { check, timeout } from './runs.js'

const bodyBytes = 2000
const app = appOf({ limits: { bodyBytes, batch: 20, depth: 20 } })

/** The requests of the wire fixtures: whatever these have been written for, a mistake more or less is near it. */
function requestsOf(protocol: 'jsonrpc' | 'xmlrpc'): Uint8Array[] {
  return wireCases(protocol).flatMap(({ body }) => (body.length < bodyBytes ? [body] : []))
}

const types = {
  json: fc.constantFrom('application/json', 'application/json-rpc', 'Application/JSON; charset=utf-8'),
  xml: fc.constantFrom('text/xml', 'application/xml', 'text/xml; charset=utf-8'),
  odd: fc.constantFrom(
    ...['text/plain', 'application/json; charset=utf-16', 'text/xml; charset=iso-8859-1', 'text/xml; charset=nonsense'],
    ...['text/xml; charset=utf-16', 'application/json; charset=""', 'text/xml; charset', 'multipart/form-data', ''],
  ),
}
const any = fc.oneof({ weight: 4, arbitrary: types.json }, { weight: 4, arbitrary: types.xml }, types.odd)

/** Sends anything; the response is one that rpc-gen may send, and the next request is served as usual. */
async function expectSuccess(body: Uint8Array | string, type: string): Promise<number> {
  const response = await request(app, post(body, type === '' ? {} : { 'Content-Type': type }))
  expect([200, 204, 413, 415]).toContain(response.status)
  expectNoTrace(response.text)
  if (response.status === 204) expect(response.text).toBe('')
  if (response.status === 200) (response.type === jsonResponse.type ? expectJsonRpc : expectXmlRpc)(response.text)
  expect(await request(app, post(json, { 'Content-Type': 'application/json' }))).toEqual(jsonResponse)
  expect(await request(app, post(xml, { 'Content-Type': 'text/xml' }))).toEqual(xmlResponse)
  return response.status
}

const flip = fc.record({ at: fc.nat(bodyBytes), byte: fc.nat(255), insert: fc.boolean() })

/** Bytes of which a few are others. */
function damaged(bodies: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  return fc.tuple(fc.constantFrom(...bodies), fc.array(flip, { maxLength: 4 })).map(([body, flips]) => {
    const bytes = [...body]
    for (const { at, byte, insert } of flips) bytes.splice(at % (bytes.length + 1), insert ? 0 : 1, byte)
    return Uint8Array.from(bytes)
  })
}

test('random bytes with any Content-Type', { timeout }, async () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.uint8Array({ minLength: bodyBytes - 2, maxLength: bodyBytes + 2 }),
  )
  await check(
    300,
    fc.asyncProperty(bodies, any, async (body, type) => void (await expectSuccess(body, type))),
  )
})

test('JSON requests with a few bytes changed', { timeout }, async () => {
  const bodies = damaged(requestsOf('jsonrpc'))
  await check(
    1000,
    fc.asyncProperty(bodies, types.json, async (body, type) => void (await expectSuccess(body, type))),
  )
})

test('XML requests with a few bytes changed', { timeout }, async () => {
  const bodies = damaged(requestsOf('xmlrpc'))
  await check(
    1000,
    fc.asyncProperty(bodies, types.xml, async (body, type) => void (await expectSuccess(body, type))),
  )
})

test('JSON of the right shape and the wrong content', { timeout }, async () => {
  const methods = fc.constantFrom(
    'subtract',
    'echo.any',
    'echo.union',
    'echo.tuple',
    'fail',
    'system.methodHelp',
    '__proto__',
  )
  const id = fc.option(fc.oneof(fc.string(), fc.integer(), fc.double(), fc.jsonValue()), { nil: undefined })
  const entry = fc.record({
    jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'),
    method: methods,
    params: fc.jsonValue(),
    id,
  })
  const bodies = fc.oneof(entry, fc.array(fc.oneof(entry, fc.jsonValue()), { maxLength: 4 }), fc.jsonValue())
  const texts = bodies.map((body) => JSON.stringify(body))
  const sent = fc.oneof(texts, mutated(texts))
  await check(
    500,
    fc.asyncProperty(sent, async (body) => void (await expectSuccess(body, 'application/json'))),
  )
})

test('XML of the right shape and the wrong content', { timeout }, async () => {
  const methods = fc.constantFrom('subtract', 'echo.any', 'echo.record', 'kindOf', 'fail', 'system.multicall')
  const texts = fc.tuple(call, methods).map(([text, method]) => text.replace('>m<', `>${method}<`))
  await check(
    500,
    fc.asyncProperty(texts, async (body) => void (await expectSuccess(body, 'text/xml'))),
  )
})

test('every status occurs', async () => {
  const statuses = [
    await expectSuccess('[]', 'application/json'),
    await expectSuccess('{"jsonrpc":"2.0","method":"sum"}', 'application/json'),
    await expectSuccess(' '.repeat(bodyBytes + 1), 'text/xml'),
    await expectSuccess('', 'text/plain'),
  ]
  expect(statuses).toEqual([200, 204, 413, 415])
})
