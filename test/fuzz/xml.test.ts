import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isRpcError, RpcInvalidParams, RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { readCall, type XmlCall } from '../../runtime/xmlrpc/decode.js'
import { readCallWithNamespaces } from '../../runtime/xmlrpc/fallback.js'
import { completeLimits } from '../support/limits.js'
import { paramsOf } from '../xmlrpc/params.js'
import { call, mutated } from './documents.js'
import { isWithinFastXmlParser, parseWithFastXmlParser } from './fast-xml-parser.js'
import { type Reading, readTree } from './reading.js'
import { check, timeout } from './runs.js'
import { parseXml } from './saxes.js'

const limits = completeLimits()

/** A reading, or 'malformed' if the reader rejected the document. */
type Verdict = Reading | 'malformed'

function verdictOf(read: () => XmlCall): Verdict {
  try {
    const call = read()
    try {
      return withoutInvalidList({ method: call.method, params: plain(paramsOf(call)) })
    } catch (error) {
      if (error instanceof RpcInvalidParams) return 'rejected'
      throw error
    }
  } catch (error) {
    if (error instanceof RpcParseError) return 'malformed'
    if (error instanceof RpcInvalidRequest) return 'no call'
    throw error
  }
}

/** `system.multicall` with several parameters is rejected as a whole: which entries are invalid does not matter. */
function withoutInvalidList(reading: Reading): Reading {
  if (typeof reading === 'string' || reading.method !== 'system.multicall') return reading
  return Array.isArray(reading.params) && reading.params.length > 1 ? { ...reading, params: 'rejected' } : reading
}

/** The entries of a multicall that the other parser could not read. */
function plain(params: unknown): unknown {
  if (!Array.isArray(params)) return params
  return params.map((param) => (Array.isArray(param) ? param.map(tell) : param))
}

function tell(value: unknown): unknown {
  if (!isRpcError(value)) return value
  return value instanceof RpcInvalidParams ? 'rejected' : 'no call'
}

/** What it is by another parser, and by a second reading of what that sees. */
function expectedOf(text: string): Verdict {
  // It accepts lone surrogates.
  if (/\p{Surrogate}/u.test(text)) return 'malformed'
  const tree = parseXml(text)
  // It accepts a DOCTYPE, which is rejected here.
  if (tree instanceof Error || /<!DOCTYPE/i.test(text.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>/gs, '')))
    return 'malformed'
  return withoutInvalidList(readTree(tree))
}

const strangeName = /<[^<>]*(?:[\u{10000}-\u{effff}]|constructor|prototype|__proto__)/u

/** The same call with another prefix for the extensions, which the fallback has to resolve. */
function withOtherPrefix(text: string): string {
  const root = '<methodCall xmlns:e="http://ws.apache.org/xmlrpc/namespaces/extensions"'
  return text.replaceAll(/<(\/?)ex:/g, '<$1e:').replace(/<methodCall(?=[\s>])/, root)
}

function compare(text: string): void {
  const read = verdictOf(() => readCall(text, limits))
  expect(read).toEqual(expectedOf(text))
  if (typeof read !== 'object') return
  // fast-xml-parser reads the same values: alone, and in the fallback.
  if (isWithinFastXmlParser(text)) expect(withoutInvalidList(readTree(parseWithFastXmlParser(text)))).toEqual(read)
  if (strangeName.test(text)) return
  expect(verdictOf(() => readCallWithNamespaces(withOtherPrefix(text), limits))).toEqual(read)
}

const seen = new Map<string, number>()

function compareAndCount(text: string): void {
  compare(text)
  const read = verdictOf(() => readCall(text, limits))
  const verdict = typeof read === 'string' ? read : 'read'
  seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
}

test('a call in any form: the reader and other parsers agree', { timeout }, async () => {
  await check(3000, fc.property(call, compareAndCount))
})

test('a call with a few mistakes: the reader and other parsers agree', { timeout }, async () => {
  await check(3000, fc.property(mutated(call), compareAndCount))
})

test('any text: a result or an RpcError', { timeout }, async () => {
  await check(1000, fc.property(fc.string({ unit: 'binary' }), compare))
})

test('the documents include every kind', () => {
  for (const verdict of ['read', 'malformed', 'no call', 'rejected']) {
    expect(seen.get(verdict) ?? 0, verdict).toBeGreaterThan(50)
  }
})
