import { isJsonObject } from '../../description/described-types.js'
import type { ProtocolName } from '../../protocols.js'
import { jsonStyle, print } from '../code/print.js'
import type { CallData } from '../data.js'
import { paramsOf } from '../sample.js'
import { methodCall } from '../xml.js'
import type { Page } from './page.js'

/** The call, as the panel specifies it. */
export interface RequestDraft {
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
export function writeRequest(call: CallData, draft: RequestDraft, page: Page): RpcRequest {
  if (draft.protocol === 'json-rpc') return { contentType: 'application/json', body: writeJson(call, draft) }
  const params = draft.raw === undefined ? draft.params : parseParams(draft.raw)
  const list = isJsonObject(params) ? (call.paramsObject ? [params] : inOrder(call, params)) : params
  if (!Array.isArray(list)) throw new Error('XML-RPC takes a list of parameters')
  return { contentType: 'text/xml', body: methodCall(call.name, list, call.params, page.byName) }
}

let lastId = 0

/** Every request has its own id; the preview shows the next one. */
export function nextId(): void {
  lastId += 1
}

function writeJson(call: CallData, { notify, params, raw }: RequestDraft): string {
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

/** Values by position: omitted ones at the end are left out, and before others they are null. */
export function positional(values: readonly unknown[]): unknown[] {
  const given = values.findLastIndex((value) => value !== undefined) + 1
  return values.slice(0, given).map((each) => each ?? null)
}
