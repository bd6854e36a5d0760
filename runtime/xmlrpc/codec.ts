import type { Call, Message } from '../call/call.js'
import type { Awaitable } from '../call/chain.js'
import type { Codec } from '../call/codec.js'
import type { Limits } from '../call/limits.js'
import { ErrorCode, RpcInvalidRequest } from '../error.js'
import { lineColumn } from '../values/position.js'
import { isInt } from '../values/predicates.js'
import { prefixPath } from '../values/serialize-unknown.js'
import { escapeAnyText } from './characters.js'
import { OutsideCore } from './invalid.js'
import { readCall } from './message.js'
import { xmlrpcWire } from './wire.js'
import { writeValue } from './writer.js'

const faultStart = '<fault>'
const faultEnd = '</fault>'
const resultStart = '<params><param>'
const resultEnd = '</param></params>'

/**
 * XML-RPC (xmlrpc.com/spec). The text of a reply is what stands in its `<methodResponse>`: `<params>` or a `<fault>`. A
 * batch is the result of `system.multicall`, and so a `<value>`.
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
  // A fault has to go out whatever is in it: a code that is no int becomes an internal error's.
  encodeError: (_call, { code, message }) =>
    `${faultStart}<value><struct>` +
    `<member><name>faultCode</name><value><int>${isInt(code) ? code : ErrorCode.INTERNAL_ERROR}</int></value>` +
    `</member>` +
    `<member><name>faultString</name><value><string>${escapeAnyText(message)}</string></value></member>` +
    `</struct></value>${faultEnd}`,
  encodeMessage: ({ batch }, replies) => (batch ? encodeBatch(replies) : encodeReply(replies[0])),
}

/** What is outside of the core is read by a chunk of its own, which few servers ever load. */
function decode(text: string, limits: Limits): Awaitable<Message> {
  try {
    return messageOf(readCall(text, limits))
  } catch (error) {
    if (!(error instanceof OutsideCore)) throw error
    checkSize(error, limits)
    return import('./fallback.js').then(({ readCallOutsideCore }) => messageOf(readCallOutsideCore(text, limits)))
  }
}

/** The fallback takes forty times as long: it gets no more than `limits.xmlSlowBytes`. */
function checkSize({ text, at, message }: OutsideCore, { xmlSlowBytes }: Limits): void {
  // A character is a byte or more.
  if (text.length <= xmlSlowBytes && new TextEncoder().encode(text).length <= xmlSlowBytes) return
  const reason = `${lineColumn(text, at)}: ${message}, in a document of more than ${xmlSlowBytes} bytes`
  throw new RpcInvalidRequest(`Invalid Request: ${reason}`)
}

function messageOf(call: Call): Message {
  return { entries: [call], batch: false }
}

/** Nobody looks into the reply: it would be put together once more, which takes 15 % of the time of 10,000 ints. */
function encodeReply(reply: string | undefined): string | undefined {
  return reply && `<?xml version="1.0" encoding="UTF-8"?><methodResponse>${reply}</methodResponse>`
}

/** A result stands in an array of its own, so that a struct beside the arrays is a fault. */
function encodeBatch(replies: readonly string[]): string {
  const entries = replies.map((reply) =>
    reply.startsWith(faultStart)
      ? reply.slice(faultStart.length, -faultEnd.length)
      : `<value><array><data>${reply.slice(resultStart.length, -resultEnd.length)}</data></array></value>`,
  )
  return `<value><array><data>${entries.join('')}</data></array></value>`
}
