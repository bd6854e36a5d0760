import type { Call, Message } from '../call/call.js'
import type { Awaitable } from '../call/chain.js'
import type { Codec } from '../call/codec.js'
import type { Limits } from '../call/limits.js'
import { ErrorCode } from '../error.js'
import { isInt } from '../values/predicates.js'
import { prefixPath } from '../values/serialize-unknown.js'
import { readCall } from './decode.js'
import { UnsupportedMarkup } from './elements.js'
import { writeValue } from './encode.js'
import { escapeAnyText } from './parse.js'
import { xmlrpcWire } from './scalars.js'

const faultStart = '<fault>'
const faultEnd = '</fault>'
const resultStart = '<params><param>'
const resultEnd = '</param></params>'

/**
 * XML-RPC (xmlrpc.com/spec). The text of a reply is the content of its `<methodResponse>`: `<params>` or a `<fault>`. A batch is
 * the result of `system.multicall`, a `<value>`.
 */
export const xmlrpc: Codec = {
  protocol: 'xml-rpc',
  contentType: 'text/xml; charset=utf-8',
  wire: xmlrpcWire,
  emptyListIsStruct: true,
  decode,
  encodeResult(_call, type, value) {
    try {
      return `${resultStart}${writeValue(type, value)}${resultEnd}`
    } catch (error) {
      throw prefixPath('result', error)
    }
  },
  // A fault must be sent whatever it contains: a code that is not an int becomes that of an internal error.
  encodeError: (_call, { code, message }) =>
    `${faultStart}<value><struct>` +
    `<member><name>faultCode</name><value><int>${isInt(code) ? code : ErrorCode.INTERNAL_ERROR}</int></value>` +
    `</member>` +
    `<member><name>faultString</name><value><string>${escapeAnyText(message)}</string></value></member>` +
    `</struct></value>${faultEnd}`,
  encodeMessage: ({ batch }, replies) => (batch ? encodeBatch(replies) : encodeReply(replies[0])),
}

/** The fallback is loaded with the first document that needs it. */
function decode(text: string, limits: Limits): Awaitable<Message> {
  try {
    return messageOf(readCall(text, limits))
  } catch (error) {
    if (!(error instanceof UnsupportedMarkup)) throw error
    return import('./fallback.js').then(({ readCallWithNamespaces }) => messageOf(readCallWithNamespaces(text, limits)))
  }
}

function messageOf(call: Call): Message {
  return { entries: [call], batch: false }
}

/** Does not search the reply: an engine would flatten the concatenation first, 15 % of the time of 10,000 ints. */
function encodeReply(reply: string | undefined): string | undefined {
  return reply && `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${reply}</methodResponse>`
}

/** Wraps each result in an array; a struct beside the arrays is a fault. */
function encodeBatch(replies: readonly string[]): string {
  const entries = replies.map((reply) =>
    reply.startsWith(faultStart)
      ? reply.slice(faultStart.length, -faultEnd.length)
      : `<value><array><data>${reply.slice(resultStart.length, -resultEnd.length)}</data></array></value>`,
  )
  return `<value><array><data>${entries.join('')}</data></array></value>`
}
