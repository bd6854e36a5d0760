import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { post, request } from '../support/requests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// No error repeats much of what was sent: whatever is wrong with a request, the response is smaller.

const source = `import type { Int } from 'rpc-gen'
interface Row { ${Array.from({ length: 20 }, (_, i) => `c${i}: Int`).join('; ')} }
interface Tree { [name: string]: Tree | Int }
/** @rpc */ export function rows(byName: Record<string, Row>): void { void byName }
/** @rpc */ export function lists(byName: Map<string, Int[]>): void { void byName }
/** @rpc */ export function deep(tree: Tree): void { void tree }
/** @rpc */ export function choose(value: { a: Record<string, Int> } | { b: Record<string, string> }): void { void value }
/** @rpc */ export function result(name: string): Record<string, Int> { return { [name]: 'x' as unknown as Int } }
/** @rpc */ export function strict(value: { a: Int }): void { void value }
`
const folder = temporaryFolder('bounds')
const procedures = await compileModule(folder, 'procedures.ts', source)

const reported: Error[] = []
const onError = (error: unknown) => void reported.push(error as Error)
const server = new RpcServer({ procedures, onError, unknownKeys: 'reject', limits: { bodyBytes: 2 ** 26 } })
const app = new Hono().route('/rpc', server.router())

interface Sent {
  readonly sent: number
  readonly text: string
}

async function send(type: string, body: string): Promise<Sent> {
  reported.splice(0)
  const { text } = await request(app, post(body, { 'Content-Type': type }))
  return { sent: body.length, text }
}

const call = (method: string, params: unknown) => ({ jsonrpc: '2.0', method, params, id: 1 })
const sendJson = (message: unknown) => send('application/json', JSON.stringify(message))

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
function toXml(value: unknown): string {
  if (typeof value === 'string') return `<value><string>${escapeXml(value)}</string></value>`
  if (typeof value === 'number') return `<value><int>${value}</int></value>`
  if (Array.isArray(value)) return `<value><array><data>${value.map(toXml).join('')}</data></array></value>`
  const members = Object.entries(value as object).map(
    ([name, each]) => `<member><name>${escapeXml(name)}</name>${toXml(each)}</member>`,
  )
  return `<value><struct>${members.join('')}</struct></value>`
}

function sendXml(method: string, params: readonly unknown[]): Promise<Sent> {
  const list = params.map((param) => `<param>${toXml(param)}</param>`).join('')
  return send(
    'text/xml',
    `<methodCall><methodName>${escapeXml(method)}</methodName><params>${list}</params></methodCall>`,
  )
}

function expectBounded({ sent, text }: Sent, most = 20_000): void {
  expect(text).toMatch(/"error"|<fault>|faultCode/)
  expect(text.length).toBeLessThan(Math.max(Math.min(sent, most), 4000))
  expect(reported.length).toBeGreaterThan(0)
  for (const error of reported) {
    expect(error.message.length).toBeLessThanOrEqual(1000)
    expect(`${error.cause ?? ''}`.length).toBeLessThanOrEqual(1000)
    expect(JSON.stringify((error as { data?: unknown }).data ?? '').length).toBeLessThanOrEqual(16_000)
  }
}

/** Names by what makes them grow on their way: quotes, controls, letters of several bytes, pairs, halves of pairs. */
const characters = {
  plain: 'a',
  quote: '"',
  backslash: '\\',
  control: '\u0001',
  space: ' ',
  umlaut: 'ü',
  emoji: '😀',
  half: '\ud83d',
}
const ofXml = Object.entries(characters).filter(([kind]) => kind !== 'control' && kind !== 'half')

const wrongValues: [method: string, value: (name: string) => unknown][] = [
  ['rows', (name) => ({ [name]: {} })],
  ['rows', (name) => ({ [name]: 1 })],
  ['lists', (name) => ({ [name]: Array(100).fill('x') })],
  ['choose', (name) => ({ a: { [name]: 'x' } })],
  ['choose', (name) => ({ [name]: 1 })],
  ['deep', (name) => ({ [name]: { [name]: { [name]: 'x' } } })],
  ['strict', (name) => ({ a: 1, [name]: 1 })],
]

describe.each(Object.entries(characters))('a long name of the character %s', (_, character) => {
  const name = character.repeat(400_000)

  test.each(wrongValues)('as a member, in JSON: %s %s', async (method, value) => {
    expectBounded(await sendJson(call(method, [value(name)])))
  })

  test('as a parameter, as methods, in results', async () => {
    expectBounded(await sendJson(call('rows', { [name]: 1 })))
    expectBounded(await sendJson(call(name, [])))
    expectBounded(await sendJson(call('system.methodHelp', [name])))
    expectBounded(await sendJson(call('system.methodSignature', [name])))
    expectBounded(await sendJson(call('result', [name])))
  })
})

test.each(ofXml)('a long name of the character %s as a member, in XML', async (_, character) => {
  const name = character.repeat(400_000)
  for (const [method, value] of wrongValues) expectBounded(await sendXml(method, [value(name)]))
})

test.each(ofXml)('methods and elements of XML that are called %s', async (_, character) => {
  const name = character.repeat(400_000)
  expectBounded(await sendXml(name, []))
  expectBounded(await sendXml('system.methodHelp', [name]))
})

test('names at every level of a deep value', async () => {
  const at = (name: string) => Array.from({ length: 200 }).reduce<unknown>((inner) => ({ [name]: inner }), 'x')
  for (const character of Object.values(characters)) {
    expectBounded(await sendJson(call('deep', [at(character.repeat(5000))])))
    expectBounded(await sendJson(call('deep', [at(character.repeat(60))])))
  }
  const open = `<value><struct><member><name>${'a"'.repeat(100)}</name>`
  const body = `${open.repeat(200)}<value><int>x</int></value>${'</member></struct></value>'.repeat(200)}`
  expectBounded(
    await send(
      'text/xml',
      `<methodCall><methodName>deep</methodName><params><param>${body}</param></params></methodCall>`,
    ),
  )
  const wrong = body.replace('<int>x</int>', '<nothing/>')
  expectBounded(
    await send(
      'text/xml',
      `<methodCall><methodName>deep</methodName><params><param>${wrong}</param></params></methodCall>`,
    ),
  )
})

test.each(Object.values(characters))('a batch of 1,000 calls with long names of %j', async (character) => {
  const name = character.repeat(4000)
  const batch = Array.from({ length: 1000 }, () => call('rows', [{ [name]: {} }]))
  const { sent, text } = await sendJson(batch)
  expect(JSON.parse(text)).toHaveLength(1000)
  expect(text.length / sent).toBeLessThan(2)
})

test('a multicall of 1,000 calls with long names', async () => {
  const params = [{ ['a"'.repeat(2000)]: {} }]
  const { sent, text } = await sendXml('system.multicall', [
    Array.from({ length: 1000 }, () => ({ methodName: 'rows', params })),
  ])
  expect(text.match(/faultCode/g)).toHaveLength(1000)
  expect(text.length / sent).toBeLessThan(1)
})

test('100,000 unknown parameters: the issues have the first ones, and the message the count', async () => {
  const names = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`name${i}`, i]))
  const sent = await sendJson(call('rows', names))
  expectBounded(sent)
  const { message, data } = JSON.parse(sent.text).error
  expect(data).toHaveLength(20)
  expect(message).toBe(
    'Invalid params: name0: expected one of byName, received an unknown name (and 99999 more; data has the first 20)',
  )
})

test('issues beyond the limit are left out from the end, and the message reports it', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`c${i}`, 'x']))
  const value = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ ['a"'.repeat(30)]: inner }), wrong)
  const { message, data } = JSON.parse((await sendJson(call('deep', [value]))).text).error
  expect(JSON.stringify(data).length).toBeLessThanOrEqual(16_000)
  expect(data.length).toBeLessThan(15)
  expect(message.length).toBeLessThanOrEqual(1000)
  expect(message.slice(message.indexOf('…'))).toBe(`… (and 14 more; data has the first ${data.length})`)
})
