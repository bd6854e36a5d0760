import type { RpcError } from '../error.js'
import { receivedError, type TransportResponse, UNKNOWN_CODE, unexpected } from './errors.js'
import type { RpcCall, Transport, TransportSettings } from './options.js'

/** JSON-RPC 2.0 as a client speaks it. */
export const json: Transport = {
  contentType: 'application/json',
  native: false,
  write: ({ id, method, params }) => JSON.stringify({ jsonrpc: '2.0', method, params, id }),
  join: (written, batch) => (batch ? `[${written}]` : `${written}`),
  read,
}

/** A message of JSON-RPC, any member of which may be missing or wrong. */
export interface JsonMessage {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

function read(
  response: TransportResponse,
  calls: readonly RpcCall[],
  batch: boolean,
  settings: TransportSettings,
): readonly unknown[] {
  return readParsed(parse(response, calls.every(isNotification)), response, calls, batch, settings)
}

/** The same of a response that has been parsed. */
export function readParsed(
  value: unknown,
  response: TransportResponse,
  calls: readonly RpcCall[],
  batch: boolean,
  { compatibility }: TransportSettings,
): readonly unknown[] {
  const isLegacy = compatibility?.jsonRpc1
  const areNotifications = calls.every(isNotification)
  if (areNotifications || batch !== Array.isArray(value)) {
    // One error for a whole batch, or for a notification, which needs no response.
    const error = errorOf(value, response, isLegacy)
    if (areNotifications && response.ok && !error) return []
    throw error ?? unexpected(response, `the response is ${batch ? 'not ' : ''}a list`)
  }
  return matchResponses(response, calls, batch ? (value as unknown[]) : [value], isLegacy)
}

function isNotification({ id }: RpcCall): boolean {
  return !id
}

function parse(response: TransportResponse, areNotifications: boolean): unknown {
  // The text of null and of undefined has no charset.
  const [, name = 'utf-8'] = charset.exec(response.contentType as string) ?? []
  let form = name
  try {
    const text = decodeText(response.bytes, name).trim()
    form = 'JSON'
    // Servers respond to a notification with nothing, or with JSON that is not an error. A page is from another server.
    return parseJson(text || (areNotifications ? 'null' : ''))
  } catch (cause) {
    throw unexpected(response, `the response is not ${form}`, { cause })
  }
}

/** ASCII is read as UTF-8, so that its other bytes are errors. */
const charset = /;\s*charset\s*=\s*"?(?!(?:us-)?ascii)([^\s;"]+)/i

/** Throws an Error if the bytes are not valid in their charset, or the platform does not know it. */
function decodeText(bytes: Uint8Array, name: string): string {
  const text = new TextDecoder(name, { fatal: true }).decode(bytes)
  // Node 20 decodes windows-1252 as Latin-1, and so the euro as a control character.
  if (!/^utf/i.test(name) && /[\x80-\x9f]/.test(text)) throw new TypeError(`no decoder of ${name}`)
  return text
}

/** Parses a text, except numbers that a double cannot represent. */
export function parseJson(text: string): unknown {
  return mayOverflow.test(text) ? JSON.parse(text, rejectInfinite) : JSON.parse(text)
}

/**
 * Matches every text with a number such as `1e999`, and few others: JSON.parse makes it Infinity. A run of digits is searched from its
 * first digit only, so that each digit is read a constant number of times.
 */
const mayOverflow = /\de\+?\d{3}|\b\d{200}/i

function rejectInfinite(_name: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new RangeError('a number that a double cannot represent')
  return value
}

/** Finds the response to each call by its id: "the Response objects MAY be returned in any order" (section 6). */
function matchResponses(
  response: TransportResponse,
  calls: readonly RpcCall[],
  entries: readonly unknown[],
  isLegacy: boolean | undefined,
): readonly unknown[] {
  const found = new Map<unknown, unknown>()
  const open = new Set<unknown>(calls.map(({ id }) => id))
  // Before 2.0 both members were present, and one of them null.
  const isGiven = (member: unknown) => (isLegacy ? (member ?? undefined) : member) !== undefined
  for (const entry of entries) {
    const { jsonrpc, id = null, error, result } = (entry ?? {}) as JsonMessage
    const isError = isGiven(error)
    const outcome = isError || !response.ok ? errorOf(entry, response, isLegacy) : result
    if ((!isLegacy && jsonrpc !== '2.0') || outcome === undefined || (isError && isGiven(result)))
      throw unexpected(response, 'the response is not JSON-RPC 2.0')
    // An error without an id is of a call that the server could not read.
    if (!open.delete(id) && (id !== null || !isError))
      throw unexpected(
        response,
        `no call with the id ${typeof id === 'object' ? id && 'object' : JSON.stringify(id).slice(0, 200)}`,
      )
    found.set(id, outcome)
  }
  return calls.map(({ id }) => {
    if (!id || found.has(id)) return found.get(id)
    return found.get(null) ?? unexpected(response, `no response with the id ${id}`)
  })
}

/** In 1.1 the data of an error is its `error`; in 1.0 an error is any value. */
function errorOf(entry: unknown, response: TransportResponse, isLegacy?: boolean): RpcError | undefined {
  const error = (entry as JsonMessage | null | undefined)?.error
  const { code, message, data, error: data1 } = (error ?? {}) as JsonMessage
  if (Number.isInteger(code) && typeof message === 'string')
    return receivedError(code, message, isLegacy ? (data ?? data1) : data, response)
  if (!isLegacy || error == null) return undefined
  return receivedError(
    UNKNOWN_CODE,
    typeof error === 'object' ? (message ?? JSON.stringify(error)) : `${error}`,
    error,
    response,
  )
}
