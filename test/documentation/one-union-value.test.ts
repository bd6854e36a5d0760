import { date, isPresent, manifest, procedure, read, string, union, type Wire } from 'rpc-gen/codegen/v1'
import { expect, test } from 'vitest'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { typeOf } from '../../runtime/values/definition.js'
import type { WireType } from '../../runtime/values/types.js'
import { type Candidates, innerOf } from '../../runtime/values/unions/candidates.js'
import { Converter } from '../../runtime/values/unions/convert.js'
import { bitsIn, type Found, partOf } from '../../runtime/values/unions/found.js'
import { Matcher } from '../../runtime/values/unions/matcher.js'
import { InternalsPage } from '../support/internals-page.js'
import { appOf, callJson, post, request } from '../support/requests.js'

// docs/internals/one-union-value.md shows what each step makes of one value.

const page = new InternalsPage('one-union-value.md')

// As generated modules have them.
// biome-ignore-start lint/suspicious/noExplicitAny: a definition accepts any value
function homeCity(v: any): any {
  return { city: string(v?.city) }
}
function homeZip(v: any, w: Wire): any {
  const home: any = { city: string(v?.city) }
  if (isPresent(v.zip, w)) home.zip = string(v.zip)
  return home
}
function contactSince(v: any, w: Wire): any {
  const contact: any = { name: string(v?.name) }
  if (isPresent(v.home, w)) contact.home = read(v.home, homeCity, w)
  if (isPresent(v.since, w)) contact.since = date(v.since, w)
  return contact
}
function contactHome(v: any, w: Wire): any {
  const contact: any = { name: string(v?.name) }
  if (isPresent(v.home, w)) contact.home = read(v.home, homeZip, w)
  return contact
}
// biome-ignore-end lint/suspicious/noExplicitAny: a definition accepts any value
const contact = union([contactSince, contactHome])

const received: unknown[] = []
const echo = procedure(
  (value: unknown) => {
    received.push(value)
    return value as never
  },
  { params: { value: contact }, returns: contact },
)
const app = appOf({ procedures: manifest({ echo }) })

const [, sent = ''] = /^ {4}(\{"name".*\})$/m.exec(page.text) ?? []
const { decode } = jsonWires
const inner = innerOf(typeOf(contact))
const [matching] = inner.matching('struct')
const candidates = matching?.candidates as Candidates

function shown(name: string): unknown {
  return JSON.parse(page.shown(name))
}

/** `struct of city, zip` */
function textOf(type: WireType): string {
  return type.kind === 'struct' ? `struct of ${type.members.map(({ name }) => name).join(', ')}` : type.kind
}

function bits(set: number): string {
  return set.toString(2).padStart(2, '0')
}

function compare(value: object): { matcher: Matcher; found: Found } {
  const matcher = new Matcher(decode, 'convert')
  return { matcher, found: matcher.compareLikely(candidates, value, candidates.onSurface(value, decode)) }
}

/** What was found for the value and for its first two members. */
function printed(found: Found): unknown {
  const parts = [0, 1].map((i) => partOf(found, i))
  return { bits: bits(bitsIn(found)), parts: parts.map((part) => (part === undefined ? null : bits(part as number))) }
}

test('the tables', () => {
  const names = ['name', 'home', 'since']
  const tables = names.map((name) => {
    const groups = candidates.member(name)?.groups ?? []
    return [name, groups.map(({ type, branches }) => ({ type: textOf(type), branches: bits(branches) }))]
  })
  expect(Object.fromEntries(tables)).toEqual(shown('the tables'))
  expect(candidates.member('fax')).toBeUndefined()
})

test('the surface and the comparison', () => {
  const value = JSON.parse(sent)
  expect(bits(candidates.onSurface(value, decode))).toBe('11')
  expect(candidates.onSurface({ home: value.home }, decode)).toBe(0)
  expect(printed(compare(value).found)).toEqual(shown('the comparison'))
  expect(printed(compare({ ...value, since: 'x' }).found)).toEqual(shown('the other comparison'))
})

test('the types that match, and the conversion', () => {
  const value = JSON.parse(sent)
  const { matcher, found } = compare(value)
  const matches = matcher.addInner(undefined, inner, inner.converting, value, found)
  expect([bits(matches?.bits ?? 0), matches?.next]).toEqual(['11', undefined])
  const converted = matches && new Converter(matcher, decode).convert(matches, value, true)
  expect(JSON.parse(JSON.stringify(converted))).toEqual(shown('the result'))
})

test('the result', async () => {
  const init = post(callJson('echo', `[${sent}]`), { 'Content-Type': 'application/json' })
  const { result } = JSON.parse((await request(app, init)).text)
  expect(JSON.stringify(result)).toBe(JSON.stringify(shown('the result')))
  expect(received).toEqual([{ ...(shown('the result') as object), since: new Date('2020-01-01T00:00:00Z') }])
})
