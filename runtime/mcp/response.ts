// The responses of MCP, and what they are made of: the service, its origin and the request.
//
//   result(request, '"content":[]')  →  {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
import type { Awaitable } from '../call/maybe-async.js'
import type { Reply } from '../call/reply.js'
import type { ResponseBudget } from '../call/response-budget.js'
import type { DescribingMessage, Origin, RequestSteps } from '../call/scope.js'
import type { WireError } from '../call/types.js'
import type { Settings } from '../options.js'
import { type Era, type McpMessage, metaPrefix } from './messages.js'
import type { ToolSet } from './tools.js'

/** The settings for the requests to one server. */
export interface Service {
  readonly settings: Settings
  readonly toolSet: ToolSet
}

/** What the messages of a batch share. */
export interface Batch extends DescribingMessage {
  /** What limits the work for their arguments. */
  readonly steps: RequestSteps
  /** What is left for their responses. */
  readonly budget: ResponseBudget
}

/** What the response to a message depends on, beside the message. */
export interface MessageContext {
  readonly service: Service
  readonly origin: Origin
  readonly bodyBytes: number
  /** That of the message; undefined for a single one. */
  readonly batch?: Batch | undefined
  /** Sends a notification of progress before the response; the next one may be sent when it resolves. Default: there are none. */
  readonly notify?: ((text: string) => Awaitable<void>) | undefined
  /** True if the response may be a stream of events. Default false. */
  readonly acceptsEvents?: boolean
}

/** A request and its context. */
export interface RequestContext extends MessageContext {
  readonly message: McpMessage & { readonly id: string }
  readonly era: Era
}

/** The response to a request. */
export interface McpResponse extends Reply {
  readonly text: string
  /** The response instead of the text: events with notifications of progress, and the response to the request. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
}

/** Returns the error response; `id` is undefined if it could not be read. */
export function errorResponse(id: string | undefined, error: WireError): string {
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${JSON.stringify(error)}}`
}

/** Returns a response with a result. @param fields the JSON text of its members */
export function result({ message, era, service }: RequestContext, fields: string): McpResponse {
  const meta = { [`${metaPrefix}serverInfo`]: serverInfo(service) }
  const own = era === 'modern' ? `"resultType":"complete","_meta":${JSON.stringify(meta)}` : ''
  const members = [own, fields].filter((text) => text !== '').join(',')
  return { text: `{"jsonrpc":"2.0","id":${message.id},"result":{${members}}}` }
}

/** Returns the name and the version of a server. */
export function serverInfo({ settings }: Service) {
  const { title, version } = settings.info
  return { name: title, version }
}

/** Returns the JSON text of the members of an object. */
export function membersOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}
