import { fits } from '../../description/described-types.js'
import { argumentType, isIdentifier, literalText } from '../type-text.js'
import {
  codeOf,
  constructorCall,
  type NativeWriters,
  print,
  printArguments,
  type ShownCall,
  scriptStyle,
  toNative,
} from './print.js'

/** fetch, in JSON-RPC. */
export function fetchJson({ url, message, headers }: ShownCall): string {
  return `const response = await fetch(${literalText(url)}, {
  method: 'POST',
  headers: ${headersText('application/json', headers)},
  body: JSON.stringify(${print(message, scriptStyle, 72, '  ')}),
})
console.log(await response.json())`
}

/** fetch, in XML-RPC. */
export function fetchXml({ url, xml, headers }: ShownCall): string {
  return `const response = await fetch(${literalText(url)}, {
  method: 'POST',
  headers: ${headersText('text/xml', headers)},
  body: ${quoteTemplate(xml)},
})
console.log(await response.text())`
}

function headersText(contentType: string, headers: ShownCall['headers']): string {
  return print({ 'Content-Type': contentType, ...headers }, scriptStyle, 72, '  ')
}

function quoteTemplate(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
}

/** The typed client, which reads a stream over fetch: it accepts the JSON form of values. */
export function clientStream(call: ShownCall): string {
  return `import { createClient } from 'rpc-gen/client'
import type { JsonProcedures } from './rpc.gen.js'

const client = createClient<JsonProcedures>(${literalText(call.url)}${optionsText(call, { subscriptions: [call.name] })})
for await (const item of ${callText(call.name, call.params)}) console.log(item)`
}

/** A WebSocket of the platform: the message that subscribes, and whatever is received. */
export function socketJson({ url, message }: ShownCall): string {
  return `const call = ${print(message, scriptStyle, 72)}
const socket = new WebSocket(${literalText(url)})
socket.onopen = () => socket.send(JSON.stringify(call))
socket.onmessage = ({ data }) => console.log(data)`
}

/** The typed client, in JSON-RPC over WebSocket: it accepts the JSON form of values. */
export function clientSubscription({ url, name, params }: ShownCall): string {
  const options = { transport: codeOf('webSocket()'), subscriptions: [name] }
  return `import { createClient } from 'rpc-gen/client'
import { webSocket } from 'rpc-gen/client/websocket'
import type { JsonProcedures } from './rpc.gen.js'

const client = createClient<JsonProcedures>(${literalText(url)}, ${print(options, scriptStyle, 72)})
for await (const item of ${callText(name, params)}) console.log(item)`
}

/** The typed client, in JSON-RPC: it accepts the JSON form of values. */
export function clientJson(call: ShownCall): string {
  const made = `createClient<JsonProcedures>(${literalText(call.url)}${optionsText(call)})`
  return `import { createClient } from 'rpc-gen/client'
import type { JsonProcedures } from './rpc.gen.js'

const client = ${made}
console.log(await ${callText(call.name, call.params)})`
}

/** The client that `rpc-gen --client` writes, in XML-RPC: it accepts TypeScript values. */
export function clientXml(call: ShownCall): string {
  const made = `createClient(${literalText(call.url)}${optionsText(call, { transport: codeOf('xmlRpc()') })})`
  return `import { xmlRpc } from 'rpc-gen/client'
import { createClient } from './client.gen.js'

const client = ${made}
console.log(await ${callText(call.name, valuesOf(call))})`
}

function optionsText({ headers }: ShownCall, own: Readonly<Record<string, unknown>> = {}): string {
  const options = { ...own, ...(Object.keys(headers).length > 0 ? { headers } : {}) }
  return Object.keys(options).length === 0 ? '' : `, ${print(options, scriptStyle, 72)}`
}

/** The arguments as TypeScript has them; null is an omitted one. */
function valuesOf(call: ShownCall): unknown[] {
  return call.params.map((each, index) => {
    const type = argumentType(call.declared, index)
    const isLeftOut = each === null && call.declared[index]?.optional && !fits(each, type, call.types)
    return isLeftOut ? codeOf('undefined') : toNative(each, type, call.types, writers)
  })
}

const writers: NativeWriters = {
  date: (date) => `new Date('${date.toISOString()}')`,
  bytes: (bytes) => `new Uint8Array([${bytes.join(', ')}])`,
  bigint: (digits) => `${BigInt(digits)}n`,
  url: (text) => `new URL(${literalText(text)})`,
  set: (values) => constructorCall('new Set', values),
  map: (entries) => constructorCall('new Map', entries),
  undefined: 'undefined',
}

/** A call by the path of a name, or by the name if a client has another member there. */
function callText(name: string, values: readonly unknown[]): string {
  const segments = name.split('.')
  if (/^\$(?!\/)/.test(name) || segments.some(isTaken)) {
    const list = values.length === 0 ? '' : `, ${print(values, scriptStyle, 56)}`
    return `client.$call(${literalText(name)}${list})`
  }
  const path = segments.map((each) => (isIdentifier(each) ? `.${each}` : `[${literalText(each)}]`))
  return `client${path.join('')}(${printArguments(values, scriptStyle, 56)})`
}

/** Members of promises, of JSON conversion, of every object and of functions; an empty segment is not a member. */
function isTaken(segment: string): boolean {
  return segment in {} || /^(?:then|toJSON|call|bind|apply|)$/.test(segment)
}
