// A call of a tool: a call of its procedure, by `replyTo`, whose outcome `toolCodec` encodes.
//
//   tools/call, { name: 'add', arguments: { a: 1, b: 2 } }  →  { content: [{ type: 'text', text: '3' }], structuredContent: 3 }
import type { CallContext } from '../call/context.js'
import { type Awaitable, maybeThen } from '../call/maybe-async.js'
import { replyTo } from '../call/reply.js'
import { createScope, type Origin, withRequest } from '../call/scope.js'
import type { Call, CallParams, Codec, Procedure, RpcContext, WireError } from '../call/types.js'
import { isJsonObject } from '../description/described-types.js'
import { ErrorCode } from '../error.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import { describeReceived, MAX_NAME, truncate } from '../values/describe.js'
import type { ItemsForm } from './items.js'
import { type Era, McpError, type McpMessage, tokenText } from './messages.js'
import { errorResponse, type McpResponse, type RequestContext, result } from './response.js'
import type { Tool } from './tools.js'

/** Responds to a call of a tool. @throws McpError for params that are not those of a call */
export function callTool(request: RequestContext): Awaitable<McpResponse> {
  const { message, service, bodyBytes, batch } = request
  const { toolSet } = service
  const { name, arguments: sent } = message.params
  const args = sent ?? {}
  if (typeof name !== 'string') throw invalidParam('name', 'string', name)
  if (!isJsonObject(args)) throw invalidParam('arguments', 'object', args)
  const tool = toolSet.tools.get(name)
  const codec = toolCodec(request, name, tool)
  const settings = { ...service.settings, table: toolSet.table }
  const openStream = async (opened: RpcContext) => {
    const context = opened as CallContext
    const { CollectedItems, streamItems } = await import('./items.js')
    const form = itemsForm(request, codec, context)
    if (form.token !== undefined && request.acceptsEvents) return streamItems(context, service.settings, form)
    return new CollectedItems(context, service.settings, form, request.notify)
  }
  const options = { transport: 'mcp', bodyBytes, steps: batch?.steps, openStream }
  const scope = createScope(settings, codec, originOf(request), options)
  const call = toolCall(message, tool?.procedure.name ?? name, args)
  return maybeThen(replyTo({ kind: 'single', entries: [call] }, scope), ({ text = '', failure, subscription }) =>
    maybeThen(subscription?.collect?.(), (items) => ({ text: items ?? text, failure, stream: subscription?.stream })),
  )
}

/** What the items of a tool become; `progressToken` of the request is for notifications. */
function itemsForm({ message }: RequestContext, codec: Codec, { call, procedure }: CallContext): ItemsForm {
  return {
    token: tokenText(message.meta['progressToken']),
    result: (items) => codec.encodeResult(call as Call, items, procedure as Procedure),
    error: (error) => codec.encodeError(call, error),
  }
}

function invalidParam(name: string, expected: string, value: unknown): McpError {
  const received = describeReceived(value, 'types')
  return new McpError(ErrorCode.INVALID_PARAMS, `Invalid params: ${name}: expected ${expected}, received ${received}`)
}

/** The call of the procedure, with what could not be decoded of its arguments. */
function toolCall({ call }: McpMessage, method: string, params: CallParams): Call {
  const { invalidValue, ...rest } = call
  const [first, ...path] = invalidValue?.path ?? []
  const isArgument = first === 'arguments'
  return { ...rest, method, params, ...(invalidValue && isArgument ? { invalidValue: { ...invalidValue, path } } : {}) }
}

/**
 * Encodes the outcome of a call. What a language model can correct, invalid arguments among it, is a result with `isError`; an
 * unknown tool is an error of the protocol.
 */
function toolCodec(request: RequestContext, name: string, tool: Tool | undefined): Codec {
  return {
    ...jsonrpc,
    encodeResult: (_call, value) => result(request, encodeToolResult(value, tool, request.era)).text,
    encodeError: (_entry, error) => {
      if (tool || error.code !== ErrorCode.METHOD_NOT_FOUND)
        return result(request, encodeFailure(withoutParams(error, tool))).text
      const unknown = `Unknown tool: ${truncate(name, MAX_NAME)}`
      return errorResponse(request.message.id, { code: ErrorCode.INVALID_PARAMS, message: unknown })
    },
  }
}

function encodeToolResult(value: unknown, tool: Tool | undefined, era: Era): string {
  const json = JSON.stringify(value) ?? 'null'
  if (tool?.resultKind === 'nothing') return '"content":[]'
  if (tool?.resultKind === 'content')
    return `"content":${Array.isArray(value) ? JSON.stringify(value.flat()) : `[${json}]`}`
  const content = `"content":${textContent(typeof value === 'string' ? value : json)}`
  const isStructured = era === 'modern' || tool?.resultKind === 'object'
  return isStructured ? `${content},"structuredContent":${json}` : content
}

/** Returns the error with the paths of the arguments that the model sent: with `@params object` they are members of a parameter `params`. */
function withoutParams(error: WireError, tool: Tool | undefined): WireError {
  const { code, message, data } = error
  if (!tool?.procedure.paramsObject || code !== ErrorCode.INVALID_PARAMS || !Array.isArray(data)) return error
  const issues = data.map((issue) => (isInParams(issue) ? { ...issue, path: issue.path.slice(1) } : issue))
  return { code, message: message.replace(/^(Invalid params: )params(?:\.|(?=\[))/, '$1'), data: issues }
}

function isInParams(issue: unknown): issue is { readonly path: readonly unknown[] } {
  const { path } = (issue ?? {}) as { readonly path?: unknown }
  return Array.isArray(path) && path.length > 1 && path[0] === 'params'
}

/** The message for the model, and the data of the error, such as all invalid arguments. */
function encodeFailure({ message, data }: WireError): string {
  const text = data === undefined ? message : `${message}\n${JSON.stringify(data)}`
  return `"content":${textContent(text)},"isError":true`
}

function textContent(text: string): string {
  return JSON.stringify([{ type: 'text', text }])
}

const traceKeys = ['traceparent', 'tracestate', 'baggage']

/** The origin of a request, whose headers have the trace context that MCP has in `_meta`. */
function originOf({ message: { meta }, origin }: RequestContext): Origin {
  const traced = traceKeys.flatMap((key) => (typeof meta[key] === 'string' ? [[key, meta[key]] as const] : []))
  if (traced.length === 0) return origin
  return withRequest(origin, () => withHeaders(origin.request, traced))
}

/** Its body has been read. A value that is not one of a header is left out. */
function withHeaders(request: Request, added: readonly (readonly [name: string, value: string])[]): Request {
  const headers = new Headers(request.headers)
  for (const [name, value] of added) {
    try {
      headers.set(name, value)
    } catch {
      // A line break, or a character beyond Latin-1.
    }
  }
  const { url, method, signal } = request
  return withSignal(new Request(url, { method, headers, signal }), signal)
}

/**
 * Returns a request with this signal itself. Node forwards a signal to that of a Request by a weak reference: a call that waits for nothing else
 * would be garbage, and never end.
 */
export function withSignal(request: Request, signal: AbortSignal): Request {
  return Object.defineProperty(request, 'signal', { value: signal })
}
