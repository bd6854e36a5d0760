// MCP without its transports (https://modelcontextprotocol.io/specification/2026-07-28): requests to responses. A call of a tool is a call of its
// procedure, by `replyTo`, whose outcome `toolCodec` encodes.
//
//   tools/call, { name: 'add', arguments: { a: 1, b: 2 } }  →  { content: [{ type: 'text', text: '3' }], structuredContent: 3 }
import { BodyTooLarge } from '../call/body-limits.js'
import { CallContext } from '../call/context.js'
import { checkAuth } from '../call/dispatch.js'
import { fail } from '../call/failure.js'
import { type Awaitable, maybeAll, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { type Reply, replyTo } from '../call/reply.js'
import {
  checkRepeated,
  createScope,
  LazyOrigin,
  type Origin,
  type RequestScope,
  ResponseBudget,
  stepLimitOf,
} from '../call/scope.js'
import type { Auth, Call, CallParams, Codec, Procedure, RpcContext, WireError } from '../call/types.js'
import { isJsonObject } from '../description/described-types.js'
import {
  AuthenticationError,
  ErrorCode,
  ForbiddenError,
  isInstance,
  type RpcError,
  RpcResponseTooLarge,
} from '../error.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { Settings } from '../options.js'
import { describeReceived, MAX_NAME, truncate } from '../values/describe.js'
import type { StepLimit } from '../values/wire.js'
import type { ItemsForm } from './items.js'
import {
  type Decoded,
  type Era,
  eraOf,
  invalidRequest,
  McpError,
  type McpMessage,
  metaPrefix,
  supportedVersions,
  versionFor,
  versionOf,
} from './messages.js'
import type { Tool, ToolSet } from './tools.js'

/** The settings for the requests to one server. */
export interface Service {
  readonly settings: Settings
  readonly toolSet: ToolSet
}

/** What the messages of a batch share. */
export interface Batch {
  /** What limits the work for their arguments. */
  readonly steps: StepLimit | undefined
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
  /** Sends a notification of progress before the response. Default: there are none. */
  readonly notify?: ((text: string) => void) | undefined
  /** True if the response may be a stream of events. Default false. */
  readonly acceptsEvents?: boolean
}

/** A request and its context. */
interface RequestContext extends MessageContext {
  readonly message: McpMessage & { readonly id: string }
  readonly era: Era
}

/** The response to a request. */
export interface McpResponse extends Reply {
  readonly text: string
  /** The response instead of the text: events with notifications of progress, and the response to the request. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
}

type Respond = (request: RequestContext) => Awaitable<McpResponse>

const methods: Readonly<Record<Era, Readonly<Record<string, Respond>>>> = {
  modern: { 'server/discover': discoverServer, 'tools/list': listTools, 'tools/call': callTool },
  legacy: { initialize, ping: (request) => result(request, ''), 'tools/list': listTools, 'tools/call': callTool },
}

/** Responds to a request. @throws McpError if there is no such method, or its params are not valid */
export function respondToRequest(request: RequestContext): Awaitable<McpResponse> {
  const { message, era } = request
  const known = methods[era]
  const respond = Object.hasOwn(known, message.method) ? known[message.method] : undefined
  if (respond) return respond(request)
  const status = era === 'modern' ? 404 : 200
  throw new McpError(ErrorCode.METHOD_NOT_FOUND, `Method not found: ${truncate(message.method, MAX_NAME)}`, { status })
}

/**
 * Returns the response to a message for which a transport has no status; undefined for a notification. Never throws, and what it returns never
 * rejects.
 */
export function respondToMessage(message: Decoded, context: MessageContext): Awaitable<string | undefined> {
  const { id } = message
  return maybeCatch<string | undefined>(
    () => {
      if (message instanceof McpError) throw message
      if (id === undefined) return undefined
      const response = respondToRequest({ ...context, message: { ...message, id }, era: eraOf(message) })
      return maybeThen(response, ({ text, failure }) => {
        if (!failure || !isInstance(failure.cause, BodyTooLarge)) return text
        throw new McpError(ErrorCode.INVALID_REQUEST, failure.error.message)
      })
    },
    (error) => errorTextOf(error, id, context),
  )
}

/** Returns what the messages of a batch share. */
export function createBatch({ limits }: Settings, bodyBytes: number): Batch {
  return { steps: stepLimitOf(bodyBytes), budget: new ResponseBudget(limits.responseBytes) }
}

/**
 * Returns the list of the responses to a batch; undefined if it has no request.
 *
 * @param respond responds to one of its messages. Never throws, and what it returns never rejects
 */
export function respondToBatch(
  messages: readonly Decoded[],
  context: MessageContext & { readonly batch: Batch },
  respond: typeof respondToMessage,
): Awaitable<string | undefined> {
  const { budget } = context.batch
  const tooLarge = ({ id }: Decoded, text?: string) => errorTextOf(new RpcResponseTooLarge(text), id, context)
  const texts = maybeAll(messages, context.service.settings.concurrency, (sent) => {
    const message = checkBatched(sent)
    if (budget.isExceeded && message.id !== undefined) return tooLarge(message, 'Response too large: not called')
    return maybeThen(respond(message, context), (text) =>
      text === undefined || budget.take(text) ? text : tooLarge(message),
    )
  })
  return maybeThen(texts, (all) => {
    const sent = all.filter((text) => text !== undefined)
    return sent.length === 0 ? undefined : `[${sent.join(',')}]`
  })
}

function checkBatched(message: Decoded): Decoded {
  if (message instanceof McpError || message.id === undefined) return message
  if (message.method === 'initialize') return invalidRequest('initialize in a batch', message.id)
  return versionOf(message) === undefined ? message : invalidRequest('a version without batches in _meta', message.id)
}

/** Returns the error response for what was thrown. `onError` gets it. */
export function errorTextOf(
  error: unknown,
  id: string | undefined,
  { service, origin }: Pick<MessageContext, 'service' | 'origin'>,
): Awaitable<string> {
  const context = new CallContext(createScope(service.settings, undefined, origin, { transport: 'mcp' }))
  return maybeThen(fail(error, context), (failure) =>
    errorResponse(id ?? (error instanceof McpError ? error.id : undefined), failure.error),
  )
}

/** Returns the error response; `id` is undefined if it could not be read. */
function errorResponse(id: string | undefined, error: WireError): string {
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${JSON.stringify(error)}}`
}

/** @param fields the JSON text of the members of the result */
function result({ message, era, service }: RequestContext, fields: string): McpResponse {
  const meta = { [`${metaPrefix}serverInfo`]: serverInfo(service) }
  const own = era === 'modern' ? `"resultType":"complete","_meta":${JSON.stringify(meta)}` : ''
  const members = [own, fields].filter((text) => text !== '').join(',')
  return { text: `{"jsonrpc":"2.0","id":${message.id},"result":{${members}}}` }
}

function serverInfo({ settings }: Service) {
  const { title, version } = settings.info
  return { name: title, version }
}

/** The JSON text of the members of an object. */
function membersOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}

function describeServer({ settings: { info } }: Service) {
  return { capabilities: { tools: {} }, ...(info.description === undefined ? {} : { instructions: info.description }) }
}

/** Milliseconds for which clients may keep what does not change while the server runs. */
const ttlMs = 300_000

function discoverServer(request: RequestContext): McpResponse {
  const fields = { supportedVersions, ...describeServer(request.service), ttlMs, cacheScope: 'public' }
  return result(request, membersOf(fields))
}

function initialize(request: RequestContext): McpResponse {
  const { message, service } = request
  const protocolVersion = versionFor(message)
  return result(request, membersOf({ protocolVersion, ...describeServer(service), serverInfo: serverInfo(service) }))
}

/** The auth of the procedures' descriptions also applies to the list of tools, which has those that the caller may call. */
function listTools(request: RequestContext): Awaitable<McpResponse> {
  const { service, origin, message, batch } = request
  const { settings } = service
  const scope = createScope(settings, undefined, origin, { transport: 'mcp' })
  return maybeThen(rejectionOf(settings.introspectionAuth, new CallContext(scope)), (rejection) => {
    if (rejection) throw listError(rejection.thrown)
    if (batch) checkRepeated(batch, message.method)
    return listCallable(request, scope)
  })
}

function listCallable(request: RequestContext, scope: RequestScope): Awaitable<McpResponse> {
  const { era, service } = request
  const { settings, toolSet } = service
  const { introspectionAuth = 'public' } = settings
  const isPrivate = introspectionAuth !== 'public' || toolSet.isPerCaller
  const hints = { ttlMs, cacheScope: isPrivate ? 'private' : 'public' }
  const tools = [...toolSet.tools.values()]
  return maybeThen(
    maybeAll(tools, 1, ({ procedure }) => mayCall(procedure, scope)),
    (isListed) => {
      const texts = tools.flatMap((tool, i) => (isListed[i] ? [tool.texts[era]] : []))
      return result(request, `"tools":[${texts.join()}]${era === 'modern' ? `,${membersOf(hints)}` : ''}`)
    },
  )
}

function listError(thrown: unknown): unknown {
  if (thrown instanceof AuthenticationError) return rejected(thrown, 401)
  return thrown instanceof ForbiddenError ? rejected(thrown, 403) : thrown
}

/** What a check of the caller has thrown, which may be undefined too. */
interface Rejection {
  readonly thrown: unknown
}

/** Asks the predicates about the caller of a context, and ends it. Returns how they reject the caller; undefined if they do not. */
function rejectionOf(auth: Auth | undefined, context: CallContext): Awaitable<Rejection | undefined> {
  const rejection = maybeCatch<Rejection | undefined>(
    () => maybeThen(checkAuth(auth, context), () => undefined),
    (thrown) => ({ thrown }),
  )
  return maybeThen(rejection, (found) => {
    context.end()
    return found
  })
}

/** True if the predicates of a procedure authorise the caller of a scope. */
function mayCall(procedure: Procedure, scope: RequestScope): Awaitable<boolean> {
  const call = { method: procedure.name, params: {}, wantsReply: true }
  const context = new CallContext(scope, call)
  context.procedure = procedure
  return maybeThen(rejectionOf(procedure.auth, context), (rejection) => rejection === undefined)
}

/** MCP reserves the range of the codes that these errors have. */
function rejected(error: RpcError, status: 401 | 403): McpError {
  return new McpError(ErrorCode.INVALID_REQUEST, error.message, { status, cause: error })
}

function callTool(request: RequestContext): Awaitable<McpResponse> {
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

/** Returns the JSON text of a token or an id, which is a string or a number; undefined for anything else. */
export function tokenText(token: unknown): string | undefined {
  if (typeof token === 'string') return JSON.stringify(token)
  return typeof token === 'number' || typeof token === 'bigint' ? `${token}` : undefined
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
  const { honoContext, env, executionContext } = origin
  return new LazyOrigin({ honoContext, env, executionContext }, () => withHeaders(origin.request, traced))
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
