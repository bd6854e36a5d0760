import type { Hono } from 'hono'
import { expect } from 'vitest'
import { post, request } from '../support/requests.js'
import { readResult } from './reading.js'
import { parseXml } from './saxes.js'

// One value in both protocols: what is sent, and the expected result.

/** Sends a value to a procedure that returns it, over both protocols; the results are equal, twice. */
export async function expectSame(app: Hono, method: string, value: unknown): Promise<void> {
  const [json, xml] = [await inJson(app, method, jsonOf(value)), await inXml(app, method, xmlOf(value))]
  expect(json).toEqual(jsonBack(value))
  expect(xml).toEqual(xmlBack(value))
  expect(inJsonForm(xml, json)).toEqual(json)
}

/** Calls over JSON, with one parameter's text; the result as JSON has it. */
export async function inJson(app: Hono, method: string, value: string): Promise<unknown> {
  const body = `{"jsonrpc":"2.0","method":"${method}","params":[${value}],"id":1}`
  const { text } = await request(app, post(body, { 'Content-Type': 'application/json' }))
  const { result, error } = JSON.parse(text)
  if (error) throw new Error(text)
  return result
}

/** Calls over XML, with one parameter's text; the result in the types of XML-RPC. */
export async function inXml(app: Hono, method: string, value: string): Promise<unknown> {
  const params = `<params><param>${value}</param></params>`
  const body = `<?xml version="1.0"?><methodCall><methodName>${method}</methodName>${params}</methodCall>`
  const { text } = await request(app, post(body, { 'Content-Type': 'text/xml' }))
  const root = parseXml(text)
  if (root instanceof Error) throw root
  return readResult(root)
}

/**
 * A result of XML in the forms that JSON has for dates, bytes and bigints; all else stays. `json` is the result of JSON:
 * it marks milliseconds that XML does not represent, and numbers that were declared a bigint.
 */
function inJsonForm(xml: unknown, json: unknown): unknown {
  if (xml instanceof Date) return `${xml.toISOString().slice(0, -4)}${String(json).slice(-4)}`
  if (xml instanceof Uint8Array) return Buffer.from(xml).toString('base64')
  if (typeof xml === 'bigint' || (typeof xml === 'number' && typeof json === 'string')) return String(xml)
  if (Array.isArray(xml)) return xml.map((each, i) => inJsonForm(each, (json as unknown[])[i]))
  // JSON has no negative zero.
  if (typeof xml !== 'object' || xml === null) return Object.is(xml, -0) ? 0 : xml
  return Object.fromEntries(Object.entries(xml).map(([name, each]) => [name, inJsonForm(each, own(json, name))]))
}

function own(struct: unknown, name: string): unknown {
  return Object.getOwnPropertyDescriptor(struct, name)?.value
}

/** The text of a value in JSON, by what it is. */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`
  if (value instanceof Map) return jsonOf(Object.fromEntries(value))
  if (value instanceof Set) return jsonOf([...value])
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  return `{${present(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)
    .join(',')}}`
}

const escapeText = (text: string) => text.replace(/[&<>\r]/g, (char) => `&#${char.charCodeAt(0)};`)

/** The text of a value in XML-RPC, by what it is. */
export function xmlOf(value: unknown): string {
  return `<value>${typeOf(value)}</value>`
}

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil/>'
  if (typeof value === 'string') return `<string>${escapeText(value)}</string>`
  if (typeof value === 'boolean') return `<boolean>${value ? 1 : 0}</boolean>`
  if (typeof value === 'bigint') return `<i8>${value}</i8>`
  if (typeof value === 'number') return numberOf(value)
  if (value instanceof Date) return `<dateTime.iso8601>${value.toISOString()}</dateTime.iso8601>`
  if (value instanceof Uint8Array) return `<base64>${Buffer.from(value).toString('base64')}</base64>`
  if (Array.isArray(value)) return `<array><data>${value.map(xmlOf).join('')}</data></array>`
  if (value instanceof Set) return typeOf([...value])
  const written = present(value instanceof Map ? Object.fromEntries(value) : value).map(
    ([name, each]) => `<member><name>${escapeText(name)}</name>${xmlOf(each)}</member>`,
  )
  return `<struct>${written.join('')}</struct>`
}

function numberOf(value: number): string {
  if (Object.is(value, -0)) return '<double>-0</double>'
  return (value | 0) === value ? `<int>${value}</int>` : `<double>${value}</double>`
}

/** The result over JSON, which has no negative zero, Map, Set or bigint. */
export function jsonBack(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Map) return jsonBack(Object.fromEntries(value))
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, jsonBack)
  if (!isRecord(value)) return JSON.parse(jsonOf(value))
  return Object.fromEntries(present(value).map(([name, each]) => [name, jsonBack(each)]))
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof Uint8Array)
}

/** What is undefined is left out. */
function present(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined)
}

/** The result over XML: whole seconds, no Map and no Set. */
export function xmlBack(value: unknown): unknown {
  if (value instanceof Date) return new Date(Math.floor(value.getTime() / 1000) * 1000)
  if (value instanceof Map) return xmlBack(Object.fromEntries(value))
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, xmlBack)
  // A reader without types sees a small one as a number.
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (!isRecord(value)) return value ?? null
  return Object.fromEntries(present(value).map(([name, each]) => [name, xmlBack(each)]))
}
