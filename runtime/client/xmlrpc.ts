// XML-RPC as a client speaks it: `client.add(1, 2)` sends a `<methodCall>`, a batch is a `system.multicall`, and a fault rejects the call.
import { MULTICALL } from '../description/system-names.js'
import type { RpcError } from '../error.js'
import { charsetOf, decodeText } from '../platform/charset.js'
import { declaredCharset } from '../platform/xml-charset.js'
import { isStruct, type Struct } from '../values/predicates.js'
import { prefixPath, serializeUnknown } from '../values/serialize-unknown.js'
import type { WireType } from '../values/types.js'
import type { Leniency } from '../xmlrpc/elements.js'
import { type Writing, writeValue, writingOf } from '../xmlrpc/encode.js'
import { escapeText } from '../xmlrpc/parse.js'
import { readResponse, type XmlResponse } from '../xmlrpc/response.js'
import { xmlrpcScalars } from '../xmlrpc/scalars.js'
import { receivedError, type TransportResponse, UNKNOWN_CODE, unexpected } from './errors.js'
import type { RpcCall, Transport } from './options.js'

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
  /**
   * What replaces a value in a response that cannot be read, such as an empty date: `'null'`, or `'text'`, its text. Default `'error'`: the
   * call rejects with an RpcTransportError.
   */
  readonly invalidValues?: 'error' | 'null' | 'text'
  /**
   * The element in which a bigint is sent: `'i8'`, an extension of 64 bits, `'string'`, its digits, or `'double'`, an error if a double does
   * not represent it exactly. Default `'i8'`.
   */
  readonly bigint?: 'i8' | 'string' | 'double'
  /**
   * What is sent for text with characters that XML does not have, such as U+0007 and half a surrogate pair: `'error'`, the call rejects with a
   * TypeError, or `'replace'`, U+FFFD for each of them. Default `'error'`.
   */
  readonly invalidText?: 'error' | 'replace'
  /** Sends characters beyond ASCII as references (`&#252;`), for servers that do not read UTF-8. Default false. */
  readonly asciiOnly?: boolean
}

/**
 * Returns a transport for XML-RPC.
 *
 * An integral number of 32 bits is sent as `<int>`, any other number as `<double>`, a bigint as `<i8>` (by default), a Date as
 * `<dateTime.iso8601>` in UTC, a Uint8Array as `<base64>`, null as `<nil/>`; trailing undefined parameters are
 * omitted. Results are decoded in the same way; a date without a zone is UTC. A batch is a `system.multicall`.
 *
 * @example
 * const client = createClient<Blog>('https://example.org/rpc', { transport: xmlRpc() })
 * @throws TypeError from a call by name or a notification, which XML-RPC does not have, and for a value that it cannot represent
 */
export function xmlRpc(options: XmlRpcOptions = {}): Transport {
  const { types = {}, asciiOnly = false } = options
  const encode = asciiOnly ? escapeNonAscii : (text: string) => text
  const replace = replacerOf(options)
  const writing = writingOf(options)
  return {
    contentType: 'text/xml',
    native: true,
    write: (call) => writeCall(call, writing, Object.hasOwn(types, call.method) ? types[call.method] : undefined),
    join: (written, batch) => encode(batch ? joinBatch(written as WrittenCall[]) : joinCall(written[0] as WrittenCall)),
    read: (response, calls, batch) => readReply(response, calls, batch, replace),
  }
}

/** Only values and names have such characters, which references can replace. */
function escapeNonAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (char) => `&#${char.codePointAt(0)};`)
}

/** A fault is read in any case, also in a multicall. */
function replacerOf({ invalidValues = 'error' }: XmlRpcOptions): Leniency['replace'] {
  return (text, name, isFault) => {
    if (isFault || name === 'faultCode' || name === 'faultString' || invalidValues === 'text') return text
    return invalidValues === 'null' ? null : undefined
  }
}

interface WrittenCall {
  readonly method: string
  readonly values: readonly string[]
}

function writeCall({ id, method, params }: RpcCall, writing: Writing, types: readonly XmlRpcType[] = []): WrittenCall {
  if (!id) throw new TypeError(`${method}: XML-RPC has no notifications`)
  if (!Array.isArray(params)) throw new TypeError(`${method}: XML-RPC has no parameters by name`)
  const given = params.findLastIndex((value) => value !== undefined) + 1
  const values = params.slice(0, given).map((value, i) => {
    try {
      return writeValue(typeOf(types[i]), serializeUnknown(value, xmlrpcScalars, `${i}`), writing)
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
  return joinCall({ method: MULTICALL, values: [`<value>${arrayOf(entries)}</value>`] })
}

function arrayOf(values: readonly string[]): string {
  return `<array><data>${values.join('')}</data></array>`
}

function readReply(
  response: TransportResponse,
  calls: readonly RpcCall[],
  batch: boolean,
  replace: Leniency['replace'],
): readonly unknown[] {
  const { value, isFault } = readBody(response, replace)
  if (isFault) throw faultOf(value, response)
  if (!response.ok) throw unexpected(response, '')
  if (!batch) return [value]
  if (!Array.isArray(value) || value.length !== calls.length) {
    throw unexpected(response, `the response to ${MULTICALL} is not a list of ${calls.length}`)
  }
  return value.map((entry, i) => {
    if (Array.isArray(entry) && entry.length === 1) return entry[0]
    if (isStruct(entry) && ('faultCode' in entry || 'faultString' in entry)) return faultOf(entry, response)
    return unexpected(response, `entry ${i} of the response is neither a list of one value nor a fault`)
  })
}

function readBody({ bytes, ...response }: TransportResponse, replace: Leniency['replace']): XmlResponse {
  try {
    // Programs of PHP print white space, or a mark, before the declaration, which determines the charset.
    const start = bytes.findIndex((byte) => ![0x09, 0x0a, 0x0d, 0x20].includes(byte))
    const body = bytes.subarray(Math.max(start, 0))
    const text = decodeText(body, charsetOf(body, response.contentType ?? undefined), { declaredCharset })
    return readResponse(text.trimStart(), replace)
  } catch (cause) {
    const reason = (cause as Error).message.replace(/^(Parse error|Invalid Request|Invalid params): /, '')
    throw unexpected({ bytes, ...response }, `no XML-RPC: ${reason}`, { cause })
  }
}

/**
 * Returns the error for the value of a fault. Servers write the code as a string, too; if it is not an integer, it is part of the message.
 * The data of the error is the value then, and if it has further members; a member `data` alone is that of rpc-gen's own server
 * (`compatibility.xmlRpcFaultData`).
 */
function faultOf(value: unknown, response: TransportResponse): RpcError {
  const { faultCode = null, faultString = null, ...others }: Struct = isStruct(value) ? value : { faultString: value }
  const code = typeof faultCode === 'string' && /^\s*[+-]?\d+\s*$/.test(faultCode) ? Number(faultCode) : faultCode
  const data = Object.keys(others).some((name) => name !== 'data') ? value : others['data']
  if (Number.isSafeInteger(code)) return receivedError(code as number, textOf(faultString), data, response)
  const texts = [faultCode, faultString].map(textOf).filter((text) => text !== '')
  const message = texts.join(': ') || 'a fault without faultCode and faultString'
  return receivedError(UNKNOWN_CODE, message, value, response)
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (typeof value !== 'object') return `${value}`
  return value === null ? '' : JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
}
