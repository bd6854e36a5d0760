import { completeLimits } from '../call/limits.js'
import type { RpcError } from '../error.js'
import { decodeText } from '../http/charset.js'
import { isStruct } from '../values/predicates.js'
import { prefixPath, serializeUnknown } from '../values/serialize-unknown.js'
import type { WireType } from '../values/types.js'
import { readResponse, type XmlResponse } from '../xmlrpc/decode.js'
import { writeValue } from '../xmlrpc/encode.js'
import { escapeText } from '../xmlrpc/parse.js'
import { xmlrpcScalars } from '../xmlrpc/scalars.js'
import { receivedError, type TransportResponse, unexpected } from './response.js'
import type { RpcCall, Transport } from './transport.js'

/**
 * The type of a parameter: `'double'`, `'any'` for by value, or a wire type: `{ kind: 'array', element: { kind: 'double' } }`.
 */
export type XmlRpcType = 'double' | 'any' | WireType

/** Options of `xmlRpc`; everything has a default. */
export interface XmlRpcOptions {
  /**
   * The types of parameters by the names of procedures, for servers that do not accept `<int>` for a `<double>`: `1` is sent as
   * `<double>1.0</double>` with `{ 'math.scale': ['double'] }`. Default: by value.
   */
  readonly types?: Readonly<Record<string, readonly XmlRpcType[]>>
}

/**
 * Returns a transport for XML-RPC.
 *
 * An integral number of 32 bits is sent as `<int>`, any other number as `<double>`, a bigint as `<i8>`, a Date as
 * `<dateTime.iso8601>` in UTC, a Uint8Array as `<base64>`, null as `<nil/>`; trailing undefined parameters are
 * omitted. Results are decoded in the same way; a date without a zone is UTC. A batch is a `system.multicall`.
 *
 * @example
 * const client = createClient<Blog>('https://example.org/rpc', { transport: xmlRpc() })
 * @throws TypeError from a call by name or a notification, which XML-RPC does not have, and for a value that it cannot represent
 */
export function xmlRpc({ types = {} }: XmlRpcOptions = {}): Transport {
  return {
    contentType: 'text/xml',
    native: true,
    write: (call) => writeCall(call, Object.hasOwn(types, call.method) ? types[call.method] : undefined),
    join: (written, batch) => (batch ? joinBatch(written as WrittenCall[]) : joinCall(written[0] as WrittenCall)),
    read: readReply,
  }
}

interface WrittenCall {
  readonly method: string
  readonly values: readonly string[]
}

function writeCall({ id, method, params }: RpcCall, types: readonly XmlRpcType[] = []): WrittenCall {
  if (!id) throw new TypeError(`${method}: XML-RPC has no notifications`)
  if (!Array.isArray(params)) throw new TypeError(`${method}: XML-RPC has no parameters by name`)
  const given = params.findLastIndex((value) => value !== undefined) + 1
  const values = params.slice(0, given).map((value, i) => {
    try {
      return writeValue(typeOf(types[i]), serializeUnknown(value, xmlrpcScalars, `${i}`))
    } catch (error) {
      throw new TypeError(`${method}: ${prefixPath(`params[${i}]`, error).message}`, { cause: error })
    }
  })
  return { method: escapeText(method), values }
}

function typeOf(type: XmlRpcType = 'any'): WireType {
  return typeof type === 'string' ? { kind: type } : type
}

function joinCall({ method, values }: WrittenCall): string {
  const params = values.map((value) => `<param>${value}</param>`)
  return `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params.join('')}</params></methodCall>`
}

function joinBatch(calls: readonly WrittenCall[]): string {
  const entries = calls.map(
    ({ method, values }) =>
      `<value><struct><member><name>methodName</name><value><string>${method}</string></value></member>` +
      `<member><name>params</name><value>${arrayOf(values)}</value></member></struct></value>`,
  )
  return joinCall({ method: 'system.multicall', values: [`<value>${arrayOf(entries)}</value>`] })
}

function arrayOf(values: readonly string[]): string {
  return `<array><data>${values.join('')}</data></array>`
}

function readReply(response: TransportResponse, calls: readonly RpcCall[], batch: boolean): readonly unknown[] {
  const { value, isFault } = readBody(response)
  const fault = isFault
    ? (faultOf(value) ?? unexpected(response, 'a fault without faultCode and faultString'))
    : undefined
  if (fault) throw fault
  if (!response.ok) throw unexpected(response, '')
  if (!batch) return [value]
  if (!Array.isArray(value) || value.length !== calls.length) {
    throw unexpected(response, `the response to system.multicall is not a list of ${calls.length}`)
  }
  return value.map((entry, i) => {
    if (Array.isArray(entry) && entry.length === 1) return entry[0]
    return (
      faultOf(entry) ?? unexpected(response, `entry ${i} of the response is neither a list of one value nor a fault`)
    )
  })
}

function readBody(response: TransportResponse): XmlResponse {
  try {
    const text = decodeText(response.bytes, response.contentType ?? null, { xml: true })
    return readResponse(text, completeLimits())
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^(Parse error|Invalid Request|Invalid params): /, '')
    throw unexpected(response, `no XML-RPC: ${reason}`, { cause })
  }
}

/** Servers write the code as a string, too. */
function faultOf(value: unknown): RpcError | undefined {
  if (!isStruct(value)) return undefined
  const { faultCode, faultString = '' } = value
  const code = typeof faultCode === 'string' ? Number(faultCode) : faultCode
  return Number.isInteger(code) ? receivedError(code as number, `${faultString}`) : undefined
}
