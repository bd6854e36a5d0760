import type { CompleteLimits } from '../call/limits.js'
import type { Call, Entry, InvalidEntry, Message } from '../call/types.js'
import { RpcInvalidRequest, withoutStack } from '../error.js'
import type { PathSegment } from '../values/issue.js'
import { membersAt, parseJson } from './parse.js'

/** Decodes one request; `index` is that in a batch. */
export type DecodeEntry = (entry: unknown, idTexts: IdTexts, index?: number) => Entry

/**
 * Decodes a request or a batch (JSON-RPC 2.0 sections 4 and 6).
 *
 * @param decodeOne for requests that are not those of 2.0
 * @throws RpcParseError for text that is not JSON
 * @throws RpcInvalidRequest for an empty batch, and for one beyond the limits
 */
export function decodeMessage(text: string, limits: CompleteLimits, decodeOne: DecodeEntry = decodeEntry): Message {
  const { value, hasUnsafeIntegers } = parseJson(text, limits.depth, text.startsWith('{') ? 2 : envelopeOf(text))
  const idTexts: IdTexts = { text }
  const decode = hasUnsafeIntegers ? decodeUnsafe(decodeOne) : decodeOne
  if (!Array.isArray(value)) return { kind: 'single', entries: [decode(value, idTexts)] }
  if (value.length === 0) throw new RpcInvalidRequest('Invalid Request', { data: 'an empty batch' })
  if (value.length > limits.batch) {
    throw new RpcInvalidRequest('Invalid Request', { data: `a batch of more than ${limits.batch} entries` })
  }
  return { kind: 'batch', entries: value.map((entry, index) => decode(entry, idTexts, index)) }
}

/** Returns the levels around a parameter: the request and its params, and one more in a batch. In XML-RPC there are none. */
function envelopeOf(text: string): number {
  return /^[ \t\n\r]*\[/.test(text) ? 3 : 2
}

/** Decodes a request of 2.0. */
export function decodeEntry(entry: unknown, idTexts: IdTexts, index?: number): Entry {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return invalidEntry('a request is an object')
  const { jsonrpc, method, params = [], id } = entry as Record<string, unknown>
  const echo = encodeId(id, idTexts, index)
  if (echo === undefined && id !== undefined) return invalidEntry('id: expected string, number or null')
  if (jsonrpc !== '2.0') return invalidEntry('jsonrpc: expected "2.0"', echo)
  if (typeof method !== 'string') return invalidEntry('method: expected string', echo)
  if (typeof params !== 'object' || params === null) return invalidEntry('params: expected array or object', echo)
  return echo === undefined
    ? { method, params: params as Call['params'], wantsReply: false }
    : { method, params: params as Call['params'], id: echo, wantsReply: true }
}

/** "If there was an error in detecting the id in the Request object, it MUST be null" (section 5). */
export function invalidEntry(reason: string, id = 'null'): InvalidEntry {
  return { error: withoutStack(() => new RpcInvalidRequest('Invalid Request', { data: reason })), id }
}

// Numbers that a double does not represent

function decodeUnsafe(decodeOne: DecodeEntry): DecodeEntry {
  return (entry, idTexts, index) => {
    const decoded = decodeOne(entry, idTexts, index)
    return 'error' in decoded ? decoded : rejectNonFinite({ ...decoded, hasUnsafeIntegers: true })
  }
}

/** Marks a call as invalid whose params contain a number such as `1e999`, which JSON.parse turns into Infinity. */
export function rejectNonFinite(call: Call): Call {
  const path = findNonFinite(call.params)
  if (!path) return call
  const received = () => 'a number too large'
  return { ...call, invalidValue: { path, kind: 'number', expected: 'finite number', received } }
}

/** Returns the path of the first number that is not finite. */
function findNonFinite(value: unknown): PathSegment[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const found = findNonFinite((value as Record<PathSegment, unknown>)[key])
    if (found) return [key, ...found]
  }
  return undefined
}

// Ids

/** The texts of the ids of a message. Its own text is searched for those that are numbers only when one of them is needed. */
interface IdTexts {
  /** The text of the message. */
  readonly text: string
  /** Those that are numbers, by the index of their request. */
  numeric?: ReadonlyMap<number, string>
}

/**
 * Returns the JSON text of an id as the response repeats it: "It MUST be the same as the value of the id member in the Request
 * Object" (section 5). Undefined for anything but a string, a number or null. `index` is that of the request in its batch.
 */
function encodeId(id: unknown, idTexts: IdTexts, index: number | undefined): string | undefined {
  if (id === null || typeof id === 'string') return JSON.stringify(id)
  if (typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  if (!Number.isFinite(id)) return undefined
  // The text of a fraction, or of an integer that is too large, has the same value; what JSON.parse makes of it may not.
  idTexts.numeric ??= numericIds(idTexts.text, index !== undefined)
  return idTexts.numeric.get(index ?? 0)
}

const numberAhead = /[ \t\n\r]*(-?\d[\d.eE+-]*)/y

/**
 * Finds the numbers that are ids in a well-formed message, in one pass: a parameter may contain millions of numbers. Of two ids
 * of one request the last one counts, as in JSON.parse.
 */
function numericIds(text: string, isBatch: boolean): ReadonlyMap<number, string> {
  const ids = new Map<number, string>()
  for (const { name, at, index } of membersAt(text, isBatch ? 2 : 1)) {
    if (JSON.parse(name) !== 'id') continue
    numberAhead.lastIndex = at
    ids.set(index, numberAhead.exec(text)?.[1] ?? '')
  }
  return ids
}
