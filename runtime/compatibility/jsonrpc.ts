import type { CompleteLimits } from '../call/limits.js'
import type { Call, Codec, Entry, Message, WireError } from '../call/types.js'
import { MULTICALL } from '../description/system-names.js'
import { EncodedJson, encodeError, encodeValue, jsonrpc } from '../jsonrpc/codec.js'
import { type DecodeEntry, decodeEntry, decodeMessage, invalidEntry, rejectNonFinite } from '../jsonrpc/decode.js'
import { isStruct, type Struct } from '../values/predicates.js'
import type { Switches } from './options.js'

/** The switches that change how a message is decoded. */
type JsonSwitches = Pick<Switches, 'jsonRpc1' | 'lenientVersion' | 'nullParams' | 'jsonMulticall'>

/** JSON-RPC for clients that do not follow version 2.0. */
export function compatibleJsonrpc(switches: JsonSwitches): Codec {
  const decodeVersioned = switches.nullParams ? withoutNull(decodeAnyVersion(switches)) : decodeAnyVersion(switches)
  return {
    ...jsonrpc,
    multicall: switches.jsonMulticall,
    decode(text, limits) {
      const message = decodeMessage(text, limits, decodeVersioned)
      return switches.jsonMulticall ? withMulticall(message, limits, switches) : message
    },
    encodeResult: (call, value) => (call.inMulticall ? `[${encodeValue(value)}]` : encodeSingle(call, value)),
    encodeError(entry, error) {
      if (entry?.inMulticall) return encodeError(error)
      const version = entry && versionOf(entry)
      return version
        ? encodeVersioned(version, 'null', errorText(version, error), entry)
        : jsonrpc.encodeError(entry, error)
    },
    encodeMessage(responses, call) {
      if (!call) return jsonrpc.encodeMessage(responses)
      if (!call.wantsReply) return undefined
      return encodeSingle(call, new EncodedJson(`[${responses.join(',')}]`))
    },
  }
}

function encodeSingle(call: Call, value: unknown): string {
  const version = versionOf(call)
  return version ? encodeVersioned(version, encodeValue(value), 'null', call) : jsonrpc.encodeResult(call, value)
}

/** Reads null as the absence of `params`. */
function withoutNull(decode: DecodeEntry): DecodeEntry {
  return (entry, idTexts, index) => decode(omitNull(entry), idTexts, index)
}

function omitNull(entry: unknown): unknown {
  if (!isStruct(entry) || entry['params'] !== null) return entry
  const { params: _, ...others } = entry
  return others
}

// JSON-RPC 1.0 (json-rpc.org/wiki/specification) and the working draft of 1.1

type Version = '1.0' | '1.1'

/** An entry of an older version. */
type VersionedEntry = Entry & { readonly version?: Version }

function versionOf(entry: VersionedEntry): Version | undefined {
  return entry.version
}

function encodeVersioned(version: Version, result: string, error: string, { id = 'null' }: Entry): string {
  const start = version === '1.1' ? '"version":"1.1",' : ''
  return `{${start}"result":${result},"error":${error},"id":${id}}`
}

/** In 1.1 an error has a name, and its data is in `error`. */
function errorText(version: Version, error: WireError): string {
  if (version === '1.0') return encodeError(error)
  const { data, ...others } = JSON.parse(encodeError(error))
  return JSON.stringify({ name: 'JSONRPCError', ...others, ...(data !== undefined && { error: data }) })
}

/** Returns a function that decodes an entry of the versions that the switches accept. */
function decodeAnyVersion({ jsonRpc1, lenientVersion }: JsonSwitches): DecodeEntry {
  return (entry, idTexts, index) => {
    if (!isStruct(entry) || entry['jsonrpc'] === '2.0') return decodeEntry(entry, idTexts, index)
    const version = jsonRpc1 ? olderVersion(entry, lenientVersion) : undefined
    if (!version && !lenientVersion) return decodeEntry(entry, idTexts, index)
    const decoded = decodeEntry({ ...entry, jsonrpc: '2.0' }, idTexts, index)
    return version ? inVersion(version, decoded, entry['id']) : decoded
  }
}

function olderVersion(entry: Struct, lenientVersion: boolean): Version | undefined {
  const { jsonrpc, version } = entry
  const declared = jsonrpc ?? version
  if (declared === '1.0' || declared === '1.1') return declared
  const isMisspelt = lenientVersion && Object.keys(entry).some((name) => /^json[-_. ]?rpc$/i.test(name))
  return declared === undefined && !isMisspelt ? '1.0' : undefined
}

/** A notification is a request of 1.0 whose id is null; 1.1 has none, so that a request without id gets a response. */
function inVersion(version: Version, entry: Entry, id: unknown): VersionedEntry {
  if ('error' in entry) return { ...entry, version }
  if (version === '1.1' || id !== null) return { ...entry, id: entry.id ?? 'null', wantsReply: true, version }
  const { id: _, ...notification } = entry
  return { ...notification, wantsReply: false, version }
}

/** A call of `system.multicall` with a list of entries becomes a multicall; any other one is for the procedure to reject. */
function withMulticall(message: Message, limits: CompleteLimits, { nullParams }: JsonSwitches): Message {
  if (message.kind === 'batch') return { ...message, entries: message.entries.map(rejectInBatch) }
  const [call] = message.entries
  if (!call || 'error' in call || call.method !== MULTICALL) return message
  const list = listOf(call.params)
  if (!list) return message
  const { invalidValue: _, ...valid } = call
  // The procedure rejects a longer list.
  const given = list.slice(0, limits.batch)
  const entries = given.map((entry) => decodeInMulticall(nullParams ? omitNull(entry) : entry, call))
  return { kind: 'multicall', call: valid, entries }
}

function rejectInBatch(entry: VersionedEntry): VersionedEntry {
  if ('error' in entry || entry.method !== MULTICALL) return entry
  const { version } = entry
  const rejected = invalidEntry('a multicall in a batch: send its calls in the batch', entry.id)
  return version ? { ...rejected, version } : rejected
}

function listOf(params: Call['params']): readonly unknown[] | undefined {
  const [list, ...others] = Array.isArray(params) ? params : [(params as Struct)['calls']]
  return Array.isArray(list) && others.length === 0 ? list : undefined
}

/** Decodes an entry of a multicall; an invalid one fails alone. */
function decodeInMulticall(entry: unknown, { wantsReply, hasUnsafeIntegers = false }: Call): Entry {
  if (!isStruct(entry)) return invalidInMulticall('an entry is an object')
  const { methodName: method, params = [] } = entry
  if (typeof method !== 'string') return invalidInMulticall('methodName: expected string')
  if (typeof params !== 'object' || params === null) return invalidInMulticall('params: expected array or object')
  if (method === MULTICALL) return invalidInMulticall('a multicall in a multicall')
  const call: Call = { method, params: params as Call['params'], wantsReply, inMulticall: true, hasUnsafeIntegers }
  return hasUnsafeIntegers ? rejectNonFinite(call) : call
}

function invalidInMulticall(reason: string): Entry {
  return { ...invalidEntry(reason), inMulticall: true }
}
