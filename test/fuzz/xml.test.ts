import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call } from '../../runtime/call/call.js'
import { completeLimits } from '../../runtime/call/limits.js'
import { isRpcError, RpcInvalidParams, RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { readCallOutsideCore, readXml } from '../../runtime/xmlrpc/fallback.js'
import { OutsideCore } from '../../runtime/xmlrpc/invalid.js'
import { readCall } from '../../runtime/xmlrpc/message.js'
import { mostTags } from '../../runtime/xmlrpc/tags.js'
import { call, mutated } from './documents.js'
import { isWithinFastXmlParser, parseWithFastXmlParser } from './fast-xml-parser.js'
import { type Reading, readTree } from './reading.js'
import { check, timeout } from './runs.js'
import { parseXml } from './saxes.js'

const limits = completeLimits()

/** What a reader of ours makes of a document. */
type Verdict = Reading | 'malformed' | 'outside'

function verdictOf(read: () => Call): Verdict {
  try {
    const call = read()
    try {
      return { method: call.method, params: plain(call.params) }
    } catch (error) {
      if (error instanceof RpcInvalidParams) return 'refused'
      throw error
    }
  } catch (error) {
    if (error instanceof OutsideCore) return 'outside'
    if (error instanceof RpcParseError) return 'malformed'
    if (error instanceof RpcInvalidRequest) return 'no call'
    throw error
  }
}

/** The entries of a multicall that could not be read, as the other reading tells them. */
function plain(params: unknown): unknown {
  if (!Array.isArray(params)) return params
  return params.map((param) => (Array.isArray(param) ? param.map(tell) : param))
}

function tell(value: unknown): unknown {
  if (!isRpcError(value)) return value
  return value instanceof RpcInvalidParams ? 'refused' : 'no call'
}

/** What it is by another parser, and by a second reading of what that sees. */
function expectedOf(text: string): Verdict {
  // It takes the halves of a surrogate pair.
  if (/\p{Surrogate}/u.test(text)) return 'malformed'
  const tree = parseXml(text)
  // It takes a DOCTYPE, which is refused here.
  if (tree instanceof Error || /<!DOCTYPE/i.test(text.replace(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>/gs, '')))
    return 'malformed'
  return readTree(tree)
}

const strangeName = /<[^<>]*(?:[\u{10000}-\u{effff}]|constructor|prototype|__proto__)/u

function compare(text: string): void {
  const core = verdictOf(() => readCall(text, limits))
  const odd = verdictOf(() => readCallOutsideCore(text, limits))
  const expected = expectedOf(text)
  // A multicall with an element of such a name is refused as a whole by the parser: it is no more than an odd mistake.
  if (!(odd === 'no call' && strangeName.test(text))) expect(odd).toEqual(expected)
  if (core === 'outside') return
  expect(core).toEqual(expected)
  // What is read has the same values by fast-xml-parser, too: alone, and as we make use of it.
  if (typeof core !== 'object') return
  if (isWithinFastXmlParser(text)) expect(readTree(parseWithFastXmlParser(text))).toEqual(core)
  expect(readTree(readXml(text, mostTags(limits.depth)))).toEqual(core)
}

const seen = new Map<string, number>()

function compareAndCount(text: string): void {
  compare(text)
  const core = verdictOf(() => readCall(text, limits))
  const verdict = typeof core === 'string' ? core : 'read'
  seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
}

test('a call in any form: both readers and another parser agree', { timeout }, async () => {
  await check(3000, fc.property(call, compareAndCount))
})

test('a call with a few mistakes: both readers and another parser agree', { timeout }, async () => {
  await check(3000, fc.property(mutated(call), compareAndCount))
})

test('whatever text: nothing but an error of ours', { timeout }, async () => {
  await check(1000, fc.property(fc.string({ unit: 'binary' }), compare))
})

test('the documents are of every kind', () => {
  for (const verdict of ['read', 'malformed', 'outside', 'no call', 'refused']) {
    expect(seen.get(verdict) ?? 0, verdict).toBeGreaterThan(50)
  }
})
