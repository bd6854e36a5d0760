import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appOf, ask, post } from '../http/ask.js'
import { readResult } from './reading.js'
import { check, timeout } from './runs.js'
import { parseXml } from './saxes.js'

const app = appOf()

/** Calls over JSON; the result as JSON has it. */
async function inJson(method: string, value: unknown): Promise<unknown> {
  const body = `{"jsonrpc":"2.0","method":"${method}","params":[${jsonOf(value)}],"id":1}`
  const { text } = await ask(app, post(body, { 'Content-Type': 'application/json' }))
  const { result, error } = JSON.parse(text)
  if (error) throw new Error(text)
  return result
}

/** Calls over XML; the result in the types of XML-RPC. */
async function inXml(method: string, value: string): Promise<unknown> {
  const params = `<params><param>${value}</param></params>`
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName>${params}</methodCall>`
  const { text } = await ask(app, post(body, { 'Content-Type': 'text/xml' }))
  const root = parseXml(text)
  if (root instanceof Error) throw root
  return readResult(root)
}

/** The text of a value in JSON, by what it is. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`
  if (value instanceof Map) return jsonOf(Object.fromEntries(value))
  if (value instanceof Set) return jsonOf([...value])
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`).join(',')}}`
}

const escapeText = (text: string) => text.replace(/[&<>\r]/g, (char) => `&#${char.charCodeAt(0)};`)

/** The text of a value in XML-RPC, by what it is. */
function xmlOf(value: unknown): string {
  return `<value>${typeOf(value)}</value>`
}

function typeOf(value: unknown): string {
  if (value === null) return '<nil/>'
  if (typeof value === 'string') return `<string>${escapeText(value)}</string>`
  if (typeof value === 'boolean') return `<boolean>${value ? 1 : 0}</boolean>`
  if (typeof value === 'bigint') return `<i8>${value}</i8>`
  if (typeof value === 'number') return numberOf(value)
  if (value instanceof Date) return `<dateTime.iso8601>${value.toISOString()}</dateTime.iso8601>`
  if (value instanceof Uint8Array) return `<base64>${Buffer.from(value).toString('base64')}</base64>`
  if (Array.isArray(value)) return `<array><data>${value.map(xmlOf).join('')}</data></array>`
  if (value instanceof Set) return typeOf([...value])
  const members = value instanceof Map ? [...value] : Object.entries(value as object)
  const written = members
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `<member><name>${escapeText(name)}</name>${xmlOf(each)}</member>`)
  return `<struct>${written.join('')}</struct>`
}

function numberOf(value: number): string {
  if (Object.is(value, -0)) return '<double>-0</double>'
  return (value | 0) === value ? `<int>${value}</int>` : `<double>${value}</double>`
}

/** What comes back over JSON: it has no negative zero, no Map, no Set and no bigint. */
function jsonBack(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map || value instanceof Set || typeof value !== 'object') return JSON.parse(jsonOf(value))
  if (Array.isArray(value)) return value.map(jsonBack)
  return JSON.parse(jsonOf(value))
}

/** What comes back over XML: whole seconds, no Map and no Set. */
function xmlBack(value: unknown): unknown {
  if (value instanceof Date) return new Date(Math.floor(value.getTime() / 1000) * 1000)
  if (value instanceof Map) return xmlBack(Object.fromEntries(value))
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, xmlBack)
  // A small one is told as a number by whoever reads it without a type.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(members.map(([name, each]) => [name, xmlBack(each)]))
}

// What both protocols can carry.

const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((any) => any.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
const int = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)))
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(
    -0,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
    Number.EPSILON,
    2 ** 53,
    43061398839396250,
    1e21,
    1e-7,
    123456789.000001,
  ),
)
const date = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const bytes = fc.uint8Array({ maxLength: 50 })
const bigint = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer().map(BigInt))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a b', '0'))
const struct = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members) => Object.fromEntries(members))

/** Digits beyond 2^53 are a bigint to a procedure that does not say what it wants, and go back as a string. */
const plainNumber = double.filter(
  (value) => !Number.isInteger(value) || Math.abs(value) < 2 ** 53 || Math.abs(value) >= 1e21,
)

const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    ...[fc.constant(null), fc.boolean(), int, plainNumber, text],
    fc.array(tie('any'), { maxLength: 5 }),
    struct(tie('any')),
  ),
}))

const procedures: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'echo.int': int,
  'echo.double': double,
  'echo.number': double,
  'echo.bigint': bigint,
  'echo.string': text,
  'echo.boolean': fc.boolean(),
  'echo.date': date,
  'echo.bytes': bytes,
  'echo.null': fc.constant(null),
  'echo.array': fc.array(int),
  'echo.tuple': fc.oneof(fc.tuple(text, int), fc.tuple(text, int, date)),
  'echo.struct': fc.record({ name: text, age: int, nickname: optional(text), born: optional(date) }),
  'echo.record': struct(double),
  'echo.map': fc.array(fc.tuple(name, date)).map((entries) => new Map(entries)),
  'echo.set': fc.array(text).map((list) => new Set(list)),
  'echo.literal': fc.constantFrom('on', 'off', 0),
  'echo.union': fc.oneof(
    fc.record({ kind: fc.constant('circle'), radius: double }),
    fc.record({ kind: fc.constant('square'), side: int, drawn: optional(date) }),
  ),
  'echo.any': any,
  later: text,
}

test.each(Object.entries(procedures))(
  '%s answers what it was sent, over both protocols',
  { timeout },
  async (method, values) => {
    await check(
      100,
      fc.asyncProperty(values, async (value) => {
        expect(await inJson(method, value)).toEqual(jsonBack(value))
        expect(await inXml(method, xmlOf(value))).toEqual(xmlBack(value))
      }),
    )
  },
)

test('a bigint of any size, over JSON', { timeout }, async () => {
  const values = fc.bigInt({ min: -(10n ** 200n), max: 10n ** 200n })
  await check(
    100,
    fc.asyncProperty(values, async (value) => {
      expect(await inJson('echo.bigint', value)).toBe(String(value))
      expect(await inJson('echo.bigint', String(value))).toBe(String(value))
    }),
  )
})

test('a date in whatever zone it was written', { timeout }, async () => {
  const dates = fc.date({
    min: new Date('0001-01-03T00:00:00Z'),
    max: new Date('9999-12-29T00:00:00Z'),
    noInvalidDate: true,
  })
  const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 })
  await check(
    200,
    fc.asyncProperty(dates, minutes, async (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const digits = (value: number) => String(value).padStart(2, '0')
      const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(digits)
      const zone = `${offset < 0 ? '-' : '+'}${hours}:${rest}`
      expect(await inJson('echo.date', `${local}${zone}`)).toBe(date.toISOString())
      const element = `<dateTime.iso8601>${local.replaceAll('-', '')}${zone}</dateTime.iso8601>`
      expect(await inXml('echo.date', `<value>${element}</value>`)).toEqual(xmlBack(date))
    }),
  )
})
