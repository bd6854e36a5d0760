import type { CompleteLimits } from '../call/limits.js'
import type { Awaitable } from '../call/maybe-async.js'
import type { Codec, Entry, InvalidEntry, Message, WireError } from '../call/types.js'
import { MULTICALL } from '../description/system-names.js'
import { ErrorCode, RpcInvalidRequest } from '../error.js'
import { declaredCharset } from '../platform/xml-charset.js'
import { isInt, isStruct } from '../values/predicates.js'
import { prefixPath } from '../values/serialize-unknown.js'
import { readCall, type XmlCall } from './decode.js'
import { UnsupportedMarkup } from './elements.js'
import { type Writing, writeValue, writingOf, type XmlForms } from './encode.js'
import { escapeAnyText } from './parse.js'
import { xmlrpcWires } from './scalars.js'

/** What is sent for errors. */
interface FaultForm {
  /** Whether the data of an error is a third member of its fault. Default false. */
  readonly faultData?: boolean
}

/** Returns a codec of XML-RPC (xmlrpc.com/spec). The response to an entry of a multicall is a `<value>`, of which the result is a list. */
export function xmlrpcCodec({ faultData, ...forms }: XmlForms & FaultForm = {}): Codec {
  const writing = writingOf(forms)
  return {
    protocol: 'xml-rpc',
    contentType: 'text/xml; charset=utf-8',
    wires: xmlrpcWires,
    declaredCharset,
    emptyListIsStruct: true,
    hasBigints: true,
    multicall: true,
    decode,
    encodeResult({ inMulticall }, value, { returns }) {
      try {
        const text = writeValue(returns.type, value, writing)
        // A result is in a separate array, so that a struct beside the arrays is a fault.
        return inMulticall
          ? `<value><array><data>${text}</data></array></value>`
          : envelope(`<params><param>${text}</param></params>`)
      } catch (error) {
        throw prefixPath('result', error)
      }
    },
    encodeError(entry, error) {
      const fault = encodeFault(error, faultData ? dataMember(error, writing) : '')
      return entry?.inMulticall ? fault : envelope(`<fault>${fault}</fault>`)
    },
    encodeMessage: (responses) =>
      envelope(`<params><param><value><array><data>${responses.join('')}</data></array></value></param></params>`),
  }
}

/** The codec of servers without switches for XML-RPC. */
export const xmlrpc: Codec = /* @__PURE__ */ xmlrpcCodec()

/** A fault must be sent whatever it contains: a code that is not an int becomes that of an internal error. */
function encodeFault({ code, message }: WireError, more: string): string {
  return (
    `<value><struct>` +
    `<member><name>faultCode</name><value><int>${isInt(code) ? code : ErrorCode.INTERNAL_ERROR}</int></value></member>` +
    `<member><name>faultString</name><value><string>${escapeAnyText(message)}</string></value></member>` +
    `${more}</struct></value>`
  )
}

/** Data that XML cannot represent is left out: the fault must be sent. */
function dataMember({ data }: WireError, writing: Writing): string {
  if (data === undefined) return ''
  try {
    return `<member><name>data</name>${writeValue({ kind: 'any' }, data, writing)}</member>`
  } catch {
    return ''
  }
}

/** Does not search its content: an engine would flatten the concatenation first, 15 % of the time of 10,000 ints. */
function envelope(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${content}</methodResponse>`
}

/** The fallback is loaded with the first document that needs it. */
function decode(text: string, limits: CompleteLimits): Awaitable<Message> {
  try {
    return messageOf(readCall(text, limits), limits)
  } catch (error) {
    if (!(error instanceof UnsupportedMarkup)) throw error
    return import('./fallback.js').then(({ readCallWithNamespaces }) =>
      messageOf(readCallWithNamespaces(text, limits), limits),
    )
  }
}

/** A call of `system.multicall` with a list of entries is a multicall; any other one is for the procedure to reject. */
function messageOf(call: XmlCall, { batch }: CompleteLimits): Message {
  const [list, ...others] = call.params
  const { invalidEntries } = call
  if (!invalidEntries || call.invalidValue || !Array.isArray(list) || others.length > 0) {
    return { kind: 'single', entries: [call] }
  }
  // The procedure rejects a longer list.
  const entries = list.slice(0, batch).map((entry, i) => decodeEntry(entry, invalidEntries.get(i)))
  return { kind: 'multicall', call, entries }
}

/** Decodes an entry of a multicall; an invalid one fails alone (Eric Kidd, "XML-RPC HOWTO", system.multicall). */
function decodeEntry(entry: unknown, error: InvalidEntry['error'] | undefined): Entry {
  if (error) return { error, inMulticall: true }
  if (!isStruct(entry)) return invalidEntry('an entry is a struct')
  const { methodName: method, params } = entry
  if (typeof method !== 'string') return invalidEntry('methodName: expected string')
  if (!Array.isArray(params)) return invalidEntry('params: expected array')
  if (method === MULTICALL) return invalidEntry('a multicall in a multicall')
  return { method, params, wantsReply: true, inMulticall: true }
}

function invalidEntry(reason: string): InvalidEntry {
  return { error: new RpcInvalidRequest(`Invalid Request: ${reason}`), inMulticall: true }
}
