import { isIdentifier, literalText } from '../type-text.js'
import { type ShownCall, typeOfArgument } from './call.js'
import { type NativeWriters, toNative } from './native.js'
import { print, printArguments, scriptStyle } from './print.js'

/** fetch, in JSON-RPC. */
export function fetchJson({ url, message }: ShownCall): string {
  return `const response = await fetch(${literalText(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${print(message, scriptStyle, 72, '  ')}),
})
console.log(await response.json())`
}

/** fetch, in XML-RPC. */
export function fetchXml({ url, xml }: ShownCall): string {
  return `const response = await fetch(${literalText(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'text/xml' },
  body: ${quoteTemplate(xml)},
})
console.log(await response.text())`
}

function quoteTemplate(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
}

/** The typed client, in JSON-RPC. */
export function clientJson({ url, name, params }: ShownCall): string {
  return `import { createClient } from 'rpc-gen/client'
import type { JsonProcedures } from './rpc.gen.js'

const client = createClient<JsonProcedures>(${literalText(url)})
console.log(await ${calledOn(name)}(${printArguments(params, scriptStyle, 56)}))`
}

/** The typed client, in XML-RPC: it takes the values of TypeScript as they are. */
export function clientXml(call: ShownCall): string {
  const values = call.params.map((each, index) => toNative(each, typeOfArgument(call, index), call.types, writers))
  return `import { createClient, xmlRpc } from 'rpc-gen/client'
import type { Procedures } from './rpc.gen.js'

const client = createClient<Procedures>(${literalText(call.url)}, { transport: xmlRpc() })
console.log(await ${calledOn(call.name)}(${printArguments(values, scriptStyle, 56)}))`
}

const writers: NativeWriters = {
  date: (date) => `new Date('${date.toISOString()}')`,
  bytes: (bytes) => `new Uint8Array([${bytes.join(', ')}])`,
  bigint: (digits) => `${digits}n`,
  url: (text) => `new URL(${literalText(text)})`,
}

function calledOn(name: string): string {
  return name
    .split('.')
    .reduce((path, each) => path + (isIdentifier(each) ? `.${each}` : `[${literalText(each)}]`), 'client')
}
