import { fits } from '../../description/json-types.js'
import { isIdentifier, literalText } from '../../description/type-text.js'
import { argumentType, type Conversion, convert, type ScalarValue } from './convert.js'
import { codeOf, constructorCall, print, printArguments, type ShownCall, scriptStyle } from './print.js'

/** fetch, in JSON-RPC. */
export function fetchJson(call: ShownCall): string {
  return fetchText(call, 'application/json', `JSON.stringify(${print(call.message, scriptStyle, 72, '  ')})`, 'json')
}

/** fetch, in XML-RPC. */
export function fetchXml(call: ShownCall): string {
  return fetchText(call, 'text/xml', quoteTemplate(call.xml), 'text')
}

function fetchText({ url, headers }: ShownCall, contentType: string, body: string, read: string): string {
  return `const response = await fetch(${literalText(url)}, {
  method: 'POST',
  headers: ${print({ 'Content-Type': contentType, ...headers }, scriptStyle, 72, '  ')},
  body: ${body},
})
console.log(await response.${read}())`
}

function quoteTemplate(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
}

/** A WebSocket of the platform: the message that subscribes, and whatever is received. */
export function socketJson({ url, message }: ShownCall): string {
  return `const call = ${print(message, scriptStyle, 72)}
const socket = new WebSocket(${literalText(url)})
socket.onopen = () => socket.send(JSON.stringify(call))
socket.onmessage = ({ data }) => console.log(data)`
}

/** The typed client, in JSON-RPC: it accepts the JSON form of values. */
export function clientJson(call: ShownCall): string {
  return typedClient(call, {}, `console.log(await ${callText(call.name, call.params)})`)
}

/** The same for a subscription, which reads a stream over fetch. */
export function clientStream(call: ShownCall, own = {}, imports = ''): string {
  const use = `for await (const item of ${callText(call.name, call.params)}) console.log(item)`
  return typedClient(call, { ...own, subscriptions: [call.name] }, use, imports)
}

/** The same over WebSocket, which a browser sends no headers of its own with. */
export function clientSubscription(call: ShownCall): string {
  const imports = "import { webSocket } from 'rpc-gen/client/websocket'\n"
  return clientStream({ ...call, headers: {} }, { transport: codeOf('webSocket()') }, imports)
}

function typedClient(call: ShownCall, own: Readonly<Record<string, unknown>>, use: string, imports = ''): string {
  return `import { createClient } from 'rpc-gen/client'
${imports}import type { JsonProcedures } from './rpc.gen.js'

const client = createClient<JsonProcedures>(${literalText(call.url)}${optionsText(call, own)})
${use}`
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
    return isLeftOut ? codeOf('undefined') : convert(each, type, call.types, toScript)
  })
}

const toScript: Conversion<unknown> = {
  list: (items, kind) => (kind === 'set' ? constructorCall('new Set', items) : items),
  members: (members, kind) => (kind === 'map' ? constructorCall('new Map', members) : Object.fromEntries(members)),
  scalar: scalarValue,
}

function scalarValue(value: ScalarValue, kind: string): unknown {
  if (value instanceof Date) return codeOf(`new Date('${value.toISOString()}')`)
  if (value instanceof Uint8Array) return codeOf(`new Uint8Array([${value.join(', ')}])`)
  if (typeof value === 'bigint') return codeOf(`${value}n`)
  if (typeof value === 'string' && kind === 'url') return codeOf(`new URL(${literalText(value)})`)
  return value === null && /^(undefined|void)$/.test(kind) ? codeOf('undefined') : value
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
