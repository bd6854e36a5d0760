import type { ProtocolName } from '../../protocol.js'
import { isJsonObject } from '../../schema/described-types.js'
import { jsonStyle, print } from '../code/print.js'
import type { CallData } from '../data.js'
import { paramsOf } from '../sample.js'
import { methodCall } from '../xml.js'
import type { Page } from './page.js'
import { positional } from './positional.js'

/** The call, as the panel specifies it. */
export interface Wish {
  readonly protocol: ProtocolName
  readonly notify: boolean
  /** The parameters: a value, or JSON text that is sent unchanged. */
  readonly params: unknown | { readonly text: string }
  readonly raw?: string
}

/** The request to send. */
export interface RpcRequest {
  readonly contentType: string
  readonly body: string
}

/** Encodes a request. Throws an Error with a text for people if XML-RPC cannot represent it. */
export function writeRequest(call: CallData, wish: Wish, page: Page): RpcRequest {
  if (wish.protocol === 'json-rpc') return { contentType: 'application/json', body: writeJson(call, wish) }
  const params = wish.raw === undefined ? wish.params : parseParams(wish.raw)
  const list = isJsonObject(params) ? (call.paramsObject ? [params] : inOrder(call, params)) : params
  if (!Array.isArray(list)) throw new Error('XML-RPC takes a list of parameters')
  return { contentType: 'text/xml', body: methodCall(call.name, list, call.params, page.byName) }
}

let lastId = 0

/** Every request has its own id; the preview shows the next one. */
export function nextId(): void {
  lastId += 1
}

function writeJson(call: CallData, { notify, params, raw }: Wish): string {
  const head = `{\n  "jsonrpc": "2.0",${notify ? '' : `\n  "id": ${lastId + 1},`}\n  "method": ${print(call.name, jsonStyle, 0)}`
  if (raw?.trim() === '') return `${head}\n}`
  const whole = Array.isArray(params) ? paramsOf(call, params) : params
  return `${head},\n  "params": ${raw ?? print(whole, jsonStyle, 64, '  ')}\n}`
}

function parseParams(text: string): unknown {
  try {
    return text.trim() === '' ? [] : JSON.parse(text)
  } catch (error) {
    throw new Error(`The parameters are not valid JSON, which is converted to XML: ${(error as Error).message}`)
  }
}

/** XML-RPC has no names of parameters. */
function inOrder({ params }: CallData, named: Readonly<Record<string, unknown>>): unknown[] {
  const values = params.flatMap(({ name, rest }) => {
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    return rest && Array.isArray(value) ? value : [value]
  })
  return positional(values)
}
