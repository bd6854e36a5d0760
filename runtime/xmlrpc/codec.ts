import type { Call, Message } from '../call.js'
import type { Awaitable } from '../chain.js'
import type { Codec } from '../codec.js'
import { ErrorCode } from '../error.js'
import type { Limits } from '../limits.js'
import { isInt } from '../predicates.js'
import { readCall } from './message.js'
import { checkSize, OutsideCore } from './outside.js'
import { escapeAnyText } from './text.js'
import { unwritableIn } from './unwritable.js'
import { xmlrpcWire } from './wire.js'
import { writeValue } from './writer.js'

const responseStart = '<?xml version="1.0" encoding="UTF-8"?><methodResponse>'
const resultStart = '<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param>'
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
  decode,
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

/** What is odd is read by a chunk of its own, which few servers ever load. */
function decode(text: string, limits: Limits): Awaitable<Message> {
  try {
    return messageOf(readCall(text, limits))
  } catch (error) {
    if (!(error instanceof OutsideCore)) throw error
    checkSize(error, limits)
    return import('./odd.js').then(({ readOddCall }) => messageOf(readOddCall(text, limits)))
  }
}

function messageOf(call: Call): Message {
  return { entries: [call], batch: false }
}

function encodeReply(reply: string | undefined): string | undefined {
  if (reply === undefined) return undefined
  if (isFault(reply)) return `${responseStart}${reply}</methodResponse>`
  return `${resultStart}${reply}</param></params></methodResponse>`
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
