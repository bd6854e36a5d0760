import type { Codec } from '../codec.js'
import { ErrorCode } from '../error.js'
import { isInt } from '../predicates.js'
import { decodeCall } from './message.js'
import { escapeAnyText } from './text.js'
import { unwritableIn } from './unwritable.js'
import { xmlrpcWire } from './wire.js'
import { writeValue } from './writer.js'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const faultStart = '<fault>'
const faultEnd = '</fault>'

/**
 * XML-RPC (xmlrpc.com/spec). The text of a reply is a `<value>`, or a `<fault>`; a batch is the result of
 * `system.multicall`, a `<value>` itself.
 */
export const xmlrpc: Codec = {
  protocol: 'xml-rpc',
  contentType: 'text/xml; charset=utf-8',
  wire: xmlrpcWire,
  decode: (text, limits) => ({ entries: [decodeCall(text, limits)], batch: false }),
  encodeResult(_call, type, value) {
    try {
      return writeValue(type, value)
    } catch (error) {
      throw unwritableIn('result', error)
    }
  },
  // A fault has to go out whatever is in it: a code that is no int becomes an internal error's.
  encodeError: (_call, { code, message }) =>
    `${faultStart}<value><struct>` +
    `<member><name>faultCode</name><value><int>${isInt(code) ? code : ErrorCode.INTERNAL_ERROR}</int></value>` +
    `</member>` +
    `<member><name>faultString</name><value><string>${escapeAnyText(message)}</string></value></member>` +
    `</struct></value>${faultEnd}`,
  encodeMessage: ({ batch }, replies) => (batch ? encodeBatch(replies) : encodeReply(replies[0])),
}

function encodeReply(reply: string | undefined): string | undefined {
  if (reply === undefined) return undefined
  const body = isFault(reply) ? reply : `<params><param>${reply}</param></params>`
  return `${declaration}<methodResponse>${body}</methodResponse>`
}

/** A result stands in an array of its own, so that a struct beside the arrays is a fault. */
function encodeBatch(replies: readonly string[]): string {
  const entries = replies.map((reply) =>
    isFault(reply)
      ? reply.slice(faultStart.length, -faultEnd.length)
      : `<value><array><data>${reply}</data></array></value>`,
  )
  return `<value><array><data>${entries.join('')}</data></array></value>`
}

function isFault(reply: string): boolean {
  return reply.startsWith(faultStart)
}
