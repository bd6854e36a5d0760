import { type DescribedProcedure, isCallableBy, type TypesByName } from '../../description/description.js'
import { escapeUnseen } from '../../description/type-text.js'
import type { ProtocolName } from '../../protocols.js'
import { paramsOf } from '../sample.js'
import { jsonStyle, print, type ShownCall } from './print.js'
import { pythonJson, pythonStream, pythonXml } from './python.js'
import { clientJson, clientStream, clientSubscription, clientXml, fetchJson, fetchXml, socketJson } from './script.js'
import { methodCall } from './xml.js'

/** Code that makes one call. */
export interface Sample {
  readonly language: Language
  readonly protocol: ProtocolName
  /** Written when it is read. */
  readonly code: string
}

/** The form of the code: a language or a tool. */
export type Language = 'curl' | 'Python' | 'fetch' | 'WebSocket' | 'TypeScript'

type Writer = readonly [Language, ProtocolName, (call: ShownCall) => string]

const overHttp: readonly Writer[] = [
  ['curl', 'json-rpc', curlJson],
  ['curl', 'xml-rpc', curlXml],
  ['Python', 'json-rpc', pythonJson],
  ['Python', 'xml-rpc', pythonXml],
  ['fetch', 'json-rpc', fetchJson],
  ['fetch', 'xml-rpc', fetchXml],
  ['TypeScript', 'json-rpc', clientJson],
  ['TypeScript', 'xml-rpc', clientXml],
]

/** A subscription over HTTP is a stream of events. */
const streams: readonly Writer[] = [
  ['curl', 'json-rpc', curlStream],
  ['Python', 'json-rpc', pythonStream],
  ['TypeScript', 'json-rpc', clientStream],
]

const overWebSocket: readonly Writer[] = [
  ['WebSocket', 'json-rpc', socketJson],
  ['TypeScript', 'json-rpc', clientSubscription],
]

/** What a call is made in. */
interface SampleContext {
  /** The address of the endpoint, or for a subscription of the WebSocket. */
  readonly url: string
  readonly types: TypesByName
  readonly protocols: readonly ProtocolName[]
  /** Headers other than the content type, by name. */
  readonly headers?: Readonly<Record<string, string>>
  /** True if subscriptions use a WebSocket. Default: HTTP. */
  readonly webSocket?: boolean
}

/** Code for a call, in every language and every protocol of a list; `params` in JSON form. */
export function samplesOf(
  procedure: Pick<DescribedProcedure, 'name' | 'params' | 'paramsObject' | 'protocols' | 'subscription'>,
  params: readonly unknown[],
  { url, types, protocols, headers = {}, webSocket = false }: SampleContext,
): readonly Sample[] {
  const { name, params: declared, subscription } = procedure
  const message = { jsonrpc: '2.0', id: 1, method: name, params: paramsOf(procedure, params) }
  const call: ShownCall = {
    ...{ url, name, params, declared, types, headers, message },
    get xml() {
      return documentOf(() => escapeUnseen(methodCall(name, params, declared, types), xmlReference))
    },
  }
  return (subscription ? (webSocket ? overWebSocket : streams) : overHttp)
    .filter(([, protocol]) => protocols.includes(protocol) && isCallableBy(protocol, procedure))
    .map(([language, protocol, write]) => ({
      language,
      protocol,
      get code() {
        return write(call)
      },
    }))
}

function xmlReference(code: number): string {
  return `&#x${code.toString(16)};`
}

/** A text may contain characters that XML cannot represent: the code then has a comment that reports it. */
function documentOf(write: () => string): string {
  try {
    return write()
  } catch (error) {
    return `<!-- ${error instanceof Error ? error.message.replaceAll('--', '- -') : 'cannot be written'} -->`
  }
}

/** curl, in JSON-RPC. */
function curlJson(call: ShownCall): string {
  return curl(call, 'application/json', print(call.message, jsonStyle, 76))
}

/** curl, which prints the events of a stream as they come. */
function curlStream(call: ShownCall): string {
  const headers = { Accept: 'text/event-stream', ...call.headers }
  return curl({ ...call, headers }, 'application/json', print(call.message, jsonStyle, 76), 'curl -N')
}

/** curl, in XML-RPC. */
function curlXml(call: ShownCall): string {
  return curl(call, 'text/xml', call.xml)
}

function curl(
  { url, headers }: Pick<ShownCall, 'url' | 'headers'>,
  contentType: string,
  body: string,
  command = 'curl',
): string {
  const lines = Object.entries({ 'Content-Type': contentType, ...headers }).map(
    ([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`,
  )
  return [`${command} ${quoteShell(url)}`, ...lines, `--data-binary ${quoteShell(body)}`].join(' \\\n  ')
}

/** A word of a POSIX shell: nothing in single quotes means anything. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
