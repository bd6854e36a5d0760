import type { Call, Message, Misshapen } from '../call/call.js'
import type { Limits } from '../call/limits.js'
import { RpcInvalidRequest } from '../error.js'
import { encodeId, type Numbers } from './id.js'
import { refuseInfinite } from './infinite.js'
import type { Body } from './reader.js'

/** Reads a parsed body as a request or a batch (JSON-RPC 2.0 sections 4 and 6). */
export function decodeMessage({ value, unusual, text }: Body, limits: Limits): Message {
  const numbers = { text }
  const decode = unusual ? decodeUnusual : decodeEntry
  if (!Array.isArray(value)) return { entries: [decode(value, numbers)], batch: false }
  if (value.length === 0) throw new RpcInvalidRequest('Invalid Request', { data: 'an empty batch' })
  if (value.length > limits.batch) {
    throw new RpcInvalidRequest('Invalid Request', { data: `a batch of more than ${limits.batch} entries` })
  }
  return { entries: value.map((entry, at) => decode(entry, numbers, at)), batch: true }
}

function decodeUnusual(entry: unknown, numbers: Numbers, at?: number): Call | Misshapen {
  const decoded = decodeEntry(entry, numbers, at)
  return 'error' in decoded ? decoded : refuseInfinite({ ...decoded, untypedNumbers: true })
}

function decodeEntry(entry: unknown, numbers: Numbers, at?: number): Call | Misshapen {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return misshapen('a request is an object')
  const { jsonrpc, method, params = [], id } = entry as Record<string, unknown>
  const echo = encodeId(id, numbers, at)
  if (echo === undefined && id !== undefined) return misshapen('id: expected string, number or null')
  if (jsonrpc !== '2.0') return misshapen('jsonrpc: expected "2.0"', echo)
  if (typeof method !== 'string') return misshapen('method: expected string', echo)
  if (typeof params !== 'object' || params === null) return misshapen('params: expected array or object', echo)
  return echo === undefined
    ? { method, params: params as Call['params'], wantsReply: false }
    : { method, params: params as Call['params'], id: echo, wantsReply: true }
}

/** "If there was an error in detecting the id in the Request object, it MUST be null" (section 5). */
function misshapen(reason: string, id = 'null'): Misshapen {
  return { error: new RpcInvalidRequest('Invalid Request', { data: reason }), id }
}
