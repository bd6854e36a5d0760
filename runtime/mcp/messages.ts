// The messages of MCP (https://modelcontextprotocol.io/specification/2026-07-28), which are those of JSON-RPC, and in 2025-03-26 batches: a text
// becomes requests and notifications, each with its version, or errors with the ids of requests that are not valid.
//
//   '{"jsonrpc":"2.0","id":7,"method":"ping"}'  →  { method: 'ping', params: {}, id: '7', … }
import type { Call, Entry } from '../call/types.js'
import { isJsonObject } from '../description/described-types.js'
import { ErrorCode, RpcError } from '../error.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import { endOfString, membersAt } from '../jsonrpc/parse.js'
import type { Settings } from '../options.js'
import { describeReceived, MAX_NAME, truncate } from '../values/describe.js'

/** The protocol with an envelope in each request, from 2026-07-28, and the legacy one, which begins with `initialize`. */
export type Era = 'modern' | 'legacy'

/** The version without a handshake: each request has its version and the capabilities of the client in `params._meta`. */
const MODERN_VERSION = '2026-07-28'

/** The versions that begin with `initialize`; their tools are the same. */
const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The versions that a server supports, the latest first. */
export const supportedVersions = [MODERN_VERSION, ...legacyVersions]

/** The error codes of MCP section "Error Codes", which reserves -32020 to -32099. */
const McpErrorCode = { HEADER_MISMATCH: -32020, UNSUPPORTED_PROTOCOL_VERSION: -32022 } as const

/** An error of the protocol, which ends a request without a result. */
export class McpError extends RpcError {
  override readonly name: string = 'McpError'
  /** The status over HTTP. */
  override readonly status: number
  /** The JSON text of the id of the request, if the error was found while it was decoded. */
  readonly id: string | undefined

  constructor(code: number, message: string, { status = 200, data, id, cause }: McpErrorOptions = {}) {
    super(code, message, { ...(data !== undefined && { data }), ...(cause !== undefined && { cause }) })
    this.status = status
    this.id = id
  }
}

interface McpErrorOptions {
  readonly cause?: RpcError
  readonly status?: number
  readonly data?: unknown
  readonly id?: string | undefined
}

/** Returns the error for headers that differ from the body, or are missing. */
export function headerMismatch(message: string): McpError {
  return new McpError(McpErrorCode.HEADER_MISMATCH, `Header mismatch: ${message}`, { status: 400 })
}

/** Returns the error for a message that is not a request of MCP. */
export function invalidRequest(message: string, id?: string): McpError {
  return new McpError(ErrorCode.INVALID_REQUEST, `Invalid Request: ${message}`, { status: 400, id })
}

/** A decoded request or notification. */
export interface McpMessage {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** The `_meta` of the params. */
  readonly meta: Readonly<Record<string, unknown>>
  /** The JSON text of the id; undefined for a notification. */
  readonly id: string | undefined
  /** The envelope as a call. */
  readonly call: Call
}

/** A message, or what is wrong with it. */
export type DecodedMessage = McpMessage | McpError

/** The only version whose servers accept batches, and the one of a client that does not specify its version. */
const BATCH_VERSION = '2025-03-26'

/**
 * Decodes a message, or the messages of a batch.
 *
 * @param version the version of the client, if it is known
 * @throws McpError for a text that is not JSON-RPC, and for a batch in a version that has none
 */
export function decodeMessages(
  text: string,
  { limits }: Settings,
  version = BATCH_VERSION,
): DecodedMessage | DecodedMessage[] {
  // The arguments of a tool are one level deeper than the params of a call.
  const { kind, entries } = decodeEntries(text, { ...limits, depth: limits.depth + 1 })
  const isBatch = kind !== 'single'
  if (isBatch && version !== BATCH_VERSION) {
    throw invalidRequest(`expected one request, got a batch, which only version ${BATCH_VERSION} has`)
  }
  // The id of a response is one of the server, which sent no request.
  const sent: unknown[] = entries.some((entry) => 'error' in entry) ? [JSON.parse(text)].flat() : []
  const messages = entries.map((entry, i) => decodeRequest(entry, isResponse(sent[i])))
  return isBatch ? messages : (messages[0] as DecodedMessage)
}

function decodeEntries(text: string, limits: Settings['limits']) {
  try {
    return jsonrpc.decode(text, limits)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const id = error.code === ErrorCode.PARSE_ERROR ? undefined : findId(text)
    throw new McpError(error.code, error.message, { status: 400, data: error.data, id })
  }
}

function decodeRequest(entry: Entry, isResponse: boolean): DecodedMessage {
  // An error must not have the id null.
  const id = entry.id === 'null' ? undefined : entry.id
  if ('error' in entry) {
    return invalidRequest(String((entry.error as RpcError).data), isResponse ? undefined : id)
  }
  if (entry.id !== undefined && !/^(?:"|-?\d+$)/.test(entry.id)) {
    return invalidRequest('id: expected string or integer', id)
  }
  const { method, params } = entry
  // Absent params are an empty list to JSON-RPC.
  if (Array.isArray(params) && params.length > 0) {
    return new McpError(ErrorCode.INVALID_PARAMS, 'Invalid params: expected object, got array', { id })
  }
  const named = params as Readonly<Record<string, unknown>>
  const { _meta: meta } = named
  return { method, params: named, meta: isJsonObject(meta) ? meta : {}, id, call: entry }
}

function isResponse(sent: unknown): boolean {
  return isJsonObject(sent) && !('method' in sent) && ('result' in sent || 'error' in sent)
}

/** What the keys of `_meta` begin with. */
export const metaPrefix = 'io.modelcontextprotocol/'

/** Returns the version that a request has itself. */
export function versionOf({ meta }: McpMessage): unknown {
  return meta[`${metaPrefix}protocolVersion`]
}

/**
 * Returns the era of a request: it is modern if its `_meta` or its header has a version without a handshake.
 *
 * @param header the value of the header `MCP-Protocol-Version`; undefined without one
 * @throws McpError if the version is not supported, or the envelope is incomplete
 */
export function eraOf(message: McpMessage, header?: string): Era {
  const version = versionOf(message)
  if (version === undefined && (header === undefined || legacyVersions.includes(header))) return 'legacy'
  const requested = version ?? header
  if (header !== undefined && header !== requested) throw headerMismatch('MCP-Protocol-Version differs from the body')
  if (requested !== MODERN_VERSION) throw unsupportedVersion(requested)
  const missing = ['protocolVersion', 'clientCapabilities'].filter(
    (key) => message.meta[metaPrefix + key] === undefined,
  )
  if (missing.length === 0) return 'modern'
  const keys = missing.map((key) => metaPrefix + key).join(' and ')
  throw new McpError(ErrorCode.INVALID_PARAMS, `Invalid params: params._meta has no ${keys}`, { status: 400 })
}

/** @throws McpError if a notification comes with a version that is not supported, in the header `MCP-Protocol-Version` */
export function checkVersion(header: string | undefined): void {
  if (header !== undefined && !supportedVersions.includes(header)) throw unsupportedVersion(header)
}

function unsupportedVersion(requested: unknown): McpError {
  const data = { supported: supportedVersions, requested: shortVersion(requested) }
  return new McpError(McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION, 'Unsupported protocol version', { status: 400, data })
}

/** Returns the version that `initialize` results in. An unknown one gets the latest, as the specification of 2025-11-25 requires. */
export function versionFor({ params }: McpMessage): string {
  const latest = legacyVersions[0] as string
  return legacyVersions.find((version) => version === params['protocolVersion']) ?? latest
}

/** Returns a version for an error, which repeats no long text of the client. */
function shortVersion(version: unknown): string {
  return typeof version === 'string' ? truncate(version, MAX_NAME) : describeReceived(version, 'types')
}

/** Returns the JSON text of a token or an id, which is a string or a number; undefined for anything else. */
export function tokenText(token: unknown): string | undefined {
  if (typeof token === 'string') return JSON.stringify(token)
  return typeof token === 'number' || typeof token === 'bigint' ? `${token}` : undefined
}

const number = /\s*(-?\d[\d.eE+-]*)(?=[\s,}])/y

/**
 * Returns the JSON text of the id of a request that was not decoded, because it is too large or nested too deeply; the text may have been
 * cut. Undefined for a batch, and if the text has no id, or one of a response.
 */
export function findId(text: string): string | undefined {
  if (/^\s*\[/.test(text)) return undefined
  const names = new Set<string>()
  let id: string | undefined
  for (const { name, at } of membersAt(text, 1)) {
    names.add(name)
    if (name === '"id"') id = scalarAt(text, at)
  }
  const isResponse = !names.has('"method"') && (names.has('"result"') || names.has('"error"'))
  return isResponse ? undefined : id
}

function scalarAt(text: string, start: number): string | undefined {
  number.lastIndex = start
  const found = number.exec(text)?.[1]
  const quote = text.indexOf('"', start)
  const isText = found === undefined && text.slice(start, quote).trim() === ''
  const scalar = found ?? (isText ? text.slice(quote, endOfString(text, quote) + 1) : '')
  try {
    // The text may not be JSON.
    const value: unknown = JSON.parse(scalar)
    return isText ? JSON.stringify(value) : scalar
  } catch {
    return undefined
  }
}
