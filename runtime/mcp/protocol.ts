// MCP without its transports (https://modelcontextprotocol.io/specification/2026-07-28): requests to responses. `tool-call.ts` has the calls of tools.
//
//   {"jsonrpc":"2.0","id":7,"method":"ping"}  →  {"jsonrpc":"2.0","id":7,"result":{}}
import { BodyTooLarge } from '../call/body-limits.js'
import { CallContext } from '../call/context.js'
import { checkAuth } from '../call/dispatch.js'
import { fail } from '../call/failure.js'
import { type Awaitable, maybeAll, maybeCatch, maybeThen } from '../call/maybe-async.js'
import { ResponseBudget } from '../call/response-budget.js'
import { checkRepeated, createScope, type RequestScope, RequestSteps } from '../call/scope.js'
import type { Auth, Procedure } from '../call/types.js'
import {
  AuthenticationError,
  ErrorCode,
  ForbiddenError,
  isInstance,
  type RpcError,
  RpcResponseTooLarge,
} from '../error.js'
import type { Settings } from '../options.js'
import { MAX_NAME, truncate } from '../values/describe.js'
import {
  type DecodedMessage,
  type Era,
  eraOf,
  invalidRequest,
  McpError,
  supportedVersions,
  versionFor,
  versionOf,
} from './messages.js'
import {
  type Batch,
  errorResponse,
  type McpResponse,
  type MessageContext,
  membersOf,
  type RequestContext,
  result,
  type Service,
  serverInfo,
} from './response.js'
import { callTool } from './tool-call.js'

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
export function respondToMessage(message: DecodedMessage, context: MessageContext): Awaitable<string | undefined> {
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
  return { steps: new RequestSteps(bodyBytes), budget: new ResponseBudget(limits.responseBytes), described: undefined }
}

/**
 * Returns the list of the responses to a batch; undefined if it has no request.
 *
 * @param respond responds to one of its messages. Never throws, and what it returns never rejects
 */
export function respondToBatch(
  messages: readonly DecodedMessage[],
  context: MessageContext & { readonly batch: Batch },
  respond: typeof respondToMessage,
): Awaitable<string | undefined> {
  const { budget } = context.batch
  const tooLarge = ({ id }: DecodedMessage, text?: string) => errorTextOf(new RpcResponseTooLarge(text), id, context)
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

function checkBatched(message: DecodedMessage): DecodedMessage {
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
  // The list has one page, so no cursor is of this server: "Invalid cursors SHOULD result in an error with code -32602".
  if (message.params['cursor'] != null) {
    throw new McpError(ErrorCode.INVALID_PARAMS, 'Invalid params: cursor: the list has one page, without a cursor')
  }
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
