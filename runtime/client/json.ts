import type { RpcError } from '../error.js'
import { receivedError, type TransportResponse, unexpected } from './response.js'
import type { RpcCall, Transport } from './transport.js'

/** JSON-RPC 2.0 as a client speaks it. */
export const json: Transport = {
  contentType: 'application/json',
  native: false,
  write: ({ id, method, params }) => JSON.stringify({ jsonrpc: '2.0', method, params, id }),
  join: (written, batch) => (batch ? `[${written}]` : `${written}`),
  read,
}

/** A response object (section 5), any member of which may be missing or wrong. */
type Entry = Readonly<Record<string, unknown>>

function read(response: TransportResponse, calls: readonly RpcCall[], batch: boolean): readonly unknown[] {
  return readValue(parse(response, calls.every(isNotification)), response, calls, batch)
}

/** The same of a response that has been parsed. */
export function readValue(
  value: unknown,
  response: TransportResponse,
  calls: readonly RpcCall[],
  batch: boolean,
): readonly unknown[] {
  const quiet = calls.every(isNotification)
  if (quiet || batch !== Array.isArray(value)) {
    // One error for a whole batch, or for a notification, which needs no response.
    const error = errorOf(value)
    if (quiet && response.ok && !error) return []
    throw error ?? unexpected(response, `the response is ${batch ? 'not ' : ''}a list`)
  }
  return pair(response, calls, batch ? (value as unknown[]) : [value])
}

function isNotification({ id }: RpcCall): boolean {
  return !id
}

function parse(response: TransportResponse, quiet: boolean): unknown {
  try {
    // Servers respond to a notification with nothing, or with JSON that is not an error. A page is from another server.
    const text = response.text.trim() || (quiet ? 'null' : '')
    return parseJson(text)
  } catch (cause) {
    throw unexpected(response, 'the response is not JSON', { cause })
  }
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
function pair(response: TransportResponse, calls: readonly RpcCall[], entries: readonly unknown[]): readonly unknown[] {
  const found = new Map<unknown, unknown>()
  const open = new Set<unknown>(calls.map(({ id }) => id))
  for (const entry of entries) {
    const { jsonrpc, id = null, result, error } = (entry ?? {}) as Entry
    const outcome = error === undefined && response.ok ? result : errorOf(entry)
    if (jsonrpc !== '2.0' || outcome === undefined || (result === undefined) === (error === undefined))
      throw unexpected(response, 'the response is not JSON-RPC 2.0')
    // An error without an id is of a call that the server could not read.
    if (!open.delete(id) && (id !== null || error === undefined))
      throw unexpected(response, `no call with the id ${typeof id === 'object' ? id && 'object' : JSON.stringify(id)}`)
    found.set(id, outcome)
  }
  return calls.map(({ id }) => {
    if (!id || found.has(id)) return found.get(id)
    return found.get(null) ?? unexpected(response, `no response with the id ${id}`)
  })
}

function errorOf(entry: unknown): RpcError | undefined {
  const { code, message, data } = ((entry as Entry | null | undefined)?.['error'] ?? {}) as Entry
  return Number.isInteger(code) && typeof message === 'string'
    ? receivedError(code as number, message, data)
    : undefined
}
