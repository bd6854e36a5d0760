// The types of the call pipeline that refer to each other, in the order of a call: the message that a codec decodes, its outcome, the procedure,
// auth, middleware and the context.
//
//   {"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}  →  Message  →  Call  →  Outcome  →  {"jsonrpc":"2.0","result":3,"id":1}
import type { Context, Env, ExecutionContext } from 'hono'
import type { DescribedError, ProcedureMeta } from '../description/description.js'
import type { ProtocolName } from '../protocols.js'
import type { ErrorDetails } from '../values/describe.js'
import type { IssueType, PathSegment } from '../values/issue.js'
import type { Param, RpcParams, WireType } from '../values/types.js'
import type { Definition, Wire, Wires } from '../values/wire.js'
import type { CompleteLimits } from './limits.js'
import type { Awaitable } from './maybe-async.js'

/** Parameters by position or by name: RpcParams of `rpc-gen/client`. */
export type CallParams = RpcParams

/** One call, independent of the protocol. */
export interface Call {
  readonly method: string
  readonly params: CallParams
  /** What the protocol could not read of the parameters; `params` is incomplete then. */
  readonly invalidValue?: InvalidValue
  /** What the response has to repeat: in JSON-RPC the JSON text of the id. */
  readonly id?: string
  /** False for a notification: it runs, and nothing is sent. */
  readonly wantsReply: boolean
  /** True if a bigint in `params` may represent a double: JSON has one kind of number. */
  readonly hasUnsafeIntegers?: boolean
  /** True for an entry of a multicall. */
  readonly inMulticall?: boolean
}

/** A value in the parameters that the protocol cannot represent, such as `1e999` or `<int>x</int>`. */
export interface InvalidValue {
  /** Begins with the position of the parameter, or its name. */
  readonly path: readonly PathSegment[]
  readonly kind: IssueType
  readonly expected: string
  /** Describes the value. */
  readonly received: (details: ErrorDetails) => string
}

/** An entry of a message that is not a call. */
export interface InvalidEntry {
  readonly error: Error | InvalidValue
  readonly id?: string
  /** True for an entry of a multicall. */
  readonly inMulticall?: boolean
}

export type Entry = Call | InvalidEntry

/** A decoded body: one call, a batch of JSON-RPC, or a multicall. */
export type Message =
  | { readonly kind: 'single'; readonly entries: readonly [Entry] }
  | { readonly kind: 'batch'; readonly entries: readonly Entry[] }
  | Multicall

export interface Multicall {
  readonly kind: 'multicall'
  readonly entries: readonly Entry[]
  /** The call of `system.multicall`: it has to be authorized and valid before an entry is run. */
  readonly call: Call
}

/** An error as a client sees it. */
export interface WireError {
  readonly code: number
  readonly message: string
  /** Sent if the key is present, whatever the value. */
  readonly data?: unknown
}

/** A call that failed. An entry point that has statuses of its own finds them by the code of `error`, or the class of what was thrown. */
export interface FailedCall {
  readonly ok: false
  /** What was thrown; it is not sent. */
  readonly thrown: unknown
  /** What was thrown, or what `onError` returned instead, for callers in the same process; it is not sent. */
  readonly cause: unknown
  readonly error: WireError
  /** What its caller was to be authorised by. */
  readonly auth?: Auth | undefined
}

/** What a procedure that returns an AsyncIterable has started. */
export interface CallSubscription {
  readonly id: string
  /** The response to the call, where it is a stream of the items; undefined also if the client does not get them. */
  readonly stream?: ReadableStream<Uint8Array> | undefined
  /** The same where it is one text, which resolves after the last item. */
  collect?(): Promise<string> | undefined
  /** Resolves after the last item, or rejects with the error of the procedure. */
  readonly items: Promise<void>
  /** Ends the subscription when the promise is settled, with its error if there is one. */
  follow(ended: Promise<unknown>): void
  end(): void
}

/** A call that returned; `value` is ready for the encoder of the protocol, that of a subscription is its id. */
export interface CompletedCall {
  readonly ok: true
  readonly procedure: Procedure
  readonly value: unknown
  readonly subscription?: CallSubscription | undefined
}

/** How a call ended. */
export type Outcome = CompletedCall | FailedCall

/**
 * Decodes and encodes the messages of one protocol, independently of HTTP and of procedures. The text of each result is
 * made where its call ends, so that a value which the protocol cannot represent fails that call alone.
 */
export interface Codec {
  readonly protocol: ProtocolName
  /** The Content-Type of responses. */
  readonly contentType: string
  readonly wires: Wires
  /** Returns the charset that a message without one in its Content-Type declares. */
  readonly declaredCharset?: (bytes: Uint8Array) => string | undefined
  /** True if an empty list is accepted as an empty struct where the type has no list. Default false. */
  readonly emptyListIsStruct?: boolean
  /** True if every integer that it decodes may be a bigint; otherwise only those of a call that `hasUnsafeIntegers`. Default false. */
  readonly hasBigints?: boolean
  /** True if it decodes a call of `system.multicall` to its entries. Default false. */
  readonly multicall?: boolean
  /** The name of the type of void results in signatures, where it is not that of the protocol. */
  readonly voidType?: string
  /** The same for bigints. */
  readonly bigintType?: string
  /** Decodes a body. Throws RpcError, or rejects with one, if it is malformed (-32700) or not a request (-32600). */
  decode(text: string, limits: CompleteLimits): Awaitable<Message>
  /**
   * Returns the response for a result, as it is sent or as an entry of a batch or a multicall; throws if the protocol cannot represent the value.
   *
   * @param result its type, which is made when it is first read
   */
  encodeResult(call: Call, value: unknown, result: Pick<Procedure, 'returns'>): string
  /** Returns the response for an error. `call` is undefined if the whole body was rejected. */
  encodeError(call: Entry | undefined, error: WireError): string
  /** Returns the response to a batch, undefined if there is nothing to send, or to `multicall`, of the responses to its entries. */
  encodeMessage(responses: readonly string[], multicall?: Call): string | undefined
}

/** Returns the codec of a protocol. */
export type CodecFor = (protocol: ProtocolName) => Awaitable<Codec>

/** The result of a procedure. */
export interface Returns {
  readonly type: WireType
  readonly doc?: string
}

/** Type names as `system.methodSignature` returns them: the result first, then the parameters. */
export type Signature = readonly [returns: string, ...params: string[]]

/** The same properties, each of which may be undefined. */
type OrUndefined<T> = { readonly [K in keyof T]: T[K] | undefined }

/** What is known of a procedure: its name, docs and types, the metadata of its tags, its auth and its limits. */
export interface ProcedureInfo extends OrUndefined<ProcedureMeta<unknown>> {
  /** The public name, for instance `user.create`. */
  readonly name: string
  /** The text of its docs; `''` without docs. */
  readonly description: string
  /** The result of `system.methodHelp`; `''` without docs. */
  readonly help: string
  /** The result of `system.methodSignature`: one signature per number of arguments. */
  readonly signatures: readonly Signature[]
  /** Its parameters, without those of type RpcContext. */
  readonly params: readonly Param[]
  /** The parameters of each overload of an overloaded function; `params` has those of all overloads. */
  readonly overloads?: readonly (readonly Param[])[] | undefined
  /** Its awaited result; of a subscription its items. */
  readonly returns: Returns
  /** Authorises its callers. Default: what the namespace or the server specifies. */
  readonly auth?: Auth | undefined
  /** Milliseconds that a call may take, instead of `limits.timeoutMs`; 0 for no limit. */
  readonly timeoutMs?: number | undefined
  /** Bytes of the request body, instead of `limits.bodyBytes`. */
  readonly bodyBytes?: number | undefined
}

/** One remote procedure: what the server needs to serve, check and describe it. */
export interface Procedure extends ProcedureInfo {
  /** The errors that its docs declare, with the types of their data. */
  readonly throws?: readonly DescribedError<Definition>[] | undefined
  /** The middleware around its calls, outermost first; absent if there is none. */
  readonly middleware?: readonly Middleware[] | undefined
  /** The middleware inside of its calls; absent if there is none. */
  readonly inner?: InnerMiddleware | undefined
  /** True if its module is one of RPC_METHODS_MODULES; only the legacy entry points read it. */
  readonly legacy?: boolean | undefined
  /** True for the server's own procedures. */
  readonly builtIn?: boolean | undefined
  /** True if `invoke` reads its context. */
  readonly context?: boolean | undefined
  /** True if `system.listMethods` omits it. */
  readonly hidden?: boolean | undefined
  /** True for `system.multicall`: its entries have time and body limits of their own. */
  readonly noLimits?: boolean | undefined
  /**
   * Returns bound arguments as TypeScript values, without unknown keys.
   *
   * @throws INVALID if they do not match the declared types
   */
  read(args: readonly unknown[], wire: Wire): readonly unknown[]
  /** Calls the function. */
  invoke(args: readonly unknown[], context: RpcContext): unknown
  /**
   * Returns the awaited result as a value of the wire.
   *
   * @throws INVALID if it does not match the declared type
   */
  write(result: unknown, wire: Wire): unknown
}

/** Every procedure by its full name, with the auth and the middleware that apply to it. */
export type Table = ReadonlyMap<string, Procedure>

declare const typesOf: unique symbol

/** A procedure with the types of its function, of that function over JSON, and of its named parameters. */
export interface TypedProcedure<Fn, JsonFn, Params> extends Procedure {
  /** For types only. */
  readonly [typesOf]?: { readonly fn: Fn; readonly json: JsonFn; readonly params: Params }
}

/** Procedures by name, with the types of their functions, of these over JSON, and of their named parameters. */
// biome-ignore lint/suspicious/noExplicitAny: any manifest
export type Manifest<Fns = any, JsonFns = any, Params = any> = {
  readonly [K in keyof JsonFns]: TypedProcedure<TypeOf<Fns, K>, JsonFns[K], TypeOf<Params, K>>
}

type TypeOf<Interface, Name> = Name extends keyof Interface ? Interface[Name] : unknown

/**
 * Decides whether a call may be made: a truthy result authorises it, and becomes `context.authResult`; a falsy one does not. An
 * RpcError that it throws rejects the call and is sent; any other error rejects the call, and is the `cause` of the error that
 * `onError` gets.
 *
 * A predicate that is declared with one parameter receives only the request and is called once per request, however many
 * calls a batch or a multicall contains; any other is called for each call.
 */
export type AuthPredicate = (request: Request, context: RpcContext) => unknown

/** A predicate, or predicates of which one has to authorise the call; an empty list rejects every call. */
export type AuthRule = AuthPredicate | readonly AuthPredicate[]

/**
 * Rules that all have to authorise the call, in their order. The first one decides who calls, and its result is `context.authResult`: if it
 * does not authorise, the caller is not known (-32098). The others decide what the caller may do: if one does not authorise, the call is not
 * allowed (-32099). `'inherited'`, as the first one, represents the auth that would apply otherwise.
 */
export interface AuthRules {
  readonly all: readonly ['inherited' | AuthRule, ...AuthRule[]]
}

/**
 * The callers that are authorised: those that the predicate authorises, or any predicate of the list (an empty list rejects every
 * call), or all rules of `{ all }`; `'public'` for everyone, whatever the namespace or the server specifies.
 */
export type Auth = AuthRule | AuthRules | 'public'

declare const stateOf: unique symbol

/** The result of a call whose middleware has added `State` to the context, which is part of the type of the middleware. */
export interface NextResult<State> {
  /** For types only. */
  readonly [stateOf]?: State
}

/**
 * Runs what is inside of a middleware, once, and resolves to the result of the procedure or rejects with the error. The members of `state` are added
 * to `context.state`.
 */
export interface Next {
  <State extends object>(state: State): Promise<NextResult<State>>
  // The last one is what types of functions infer: `storage.run(store, next)`.
  (): Promise<unknown>
}

/**
 * Runs around each call: `next()` authorises, validates and calls, and resolves to the result as the procedure returned it or
 * rejects with the error. The result or error of the call is what the middleware returns or throws; a result has to match the declared
 * type. With `after`, the call is authorised, or validated too, before the middleware runs.
 */
export type Middleware = (context: RpcContext, next: Next) => unknown

/** Options of `use`. */
export interface UseOptions {
  /**
   * `'auth'`: the middleware runs for calls that are authorised; `'validation'`: for those whose parameters are valid too. Not for unknown names,
   * nor for the server's own procedures. Default: around authorisation and validation, for every call.
   */
  readonly after?: 'auth' | 'validation'
}

/** The middleware that runs inside of a call, outermost first: once it is authorised, and once it is valid. */
export interface InnerMiddleware {
  readonly auth: readonly Middleware[]
  readonly validation: readonly Middleware[]
}

/**
 * Called for every error of a call or a message: also for an RpcError, a text that is not a message, or a result that does not match its
 * type; not for a request that HTTP rejects before a call is known (400, 405, 415, 501, and 413 for a body that is not read), nor for a client
 * that disconnects or cancels the call. It may return an RpcError to send instead, or a promise of one, which is awaited. An error that it
 * throws itself is printed, and not sent. A thrown value that is not an Error is the `cause` of the Error that it receives.
 */
export type OnError = (error: Error, context: RpcContext) => unknown

/** The context of the caller, for a call from the same process: its request and environment. */
export type LocalContext = Partial<
  Pick<RpcContext, 'request' | 'honoContext' | 'transport' | 'env' | 'executionContext'>
>

/** The server of a call. RpcServer implements it. */
export interface CallServer {
  readonly procedures: Manifest
  readonly auth: Auth | undefined
  /** Calls a procedure from the same process, as `RpcServer.call` does. */
  call(name: string, params?: CallParams, context?: LocalContext): Promise<unknown>
}

/** The smallest and the largest body limit of a server and its procedures, in bytes. */
export interface BodyBounds {
  readonly smallest: number
  readonly largest: number
}

/** What calls depend on, options and defaults; it does not change while the server is in use, but for registrations. */
export interface CallSettings {
  readonly server: CallServer
  readonly table: Table
  /** The middleware around calls of unknown names, outermost first. */
  readonly middleware: readonly Middleware[]
  readonly limits: CompleteLimits
  readonly bodyBounds: BodyBounds
  readonly codecFor: CodecFor
  readonly onError: OnError
  /** What errors report of rejected values. */
  readonly errorDetails: ErrorDetails
  /** What happens to object keys that no declared type has: dropped, or rejected with -32602. */
  readonly unknownKeys: 'strip' | 'reject'
  /** The same for names of parameters that the procedure does not have. */
  readonly unknownParams: 'strip' | 'reject'
  /** How many entries of one batch or multicall run at once. */
  readonly concurrency: number
}

/** The Env of a Hono app, the predicates that authorise a call, and its middleware: `{ Variables: { user: string }; auth: typeof isStaff }`. */
export interface RpcEnv extends Env {
  /**
   * The type of the predicate of a procedure, or of its list of predicates, for `context.authResult`. `'public'` in the list adds undefined: for
   * middleware that also runs for public procedures.
   */
  auth?: Predicate | readonly (Predicate | 'public')[]
  /** The type of a middleware, or of a list of middleware, for `context.state`. */
  use?: AnyMiddleware | readonly AnyMiddleware[]
}

/** Middleware, whatever the types of the context and of `next` that it accepts. */
type AnyMiddleware = (context: never, next: never) => unknown

/** What the middleware adds with `next({ … })`; members of type `unknown` if none is named. */
type StateOf<E> = 0 extends 1 & E
  ? Readonly<Record<string, unknown>>
  : E extends { readonly use: infer Use }
    ? Readonly<Intersection<Use extends readonly (infer Each)[] ? AddedBy<Each> : AddedBy<Use>>>
    : Readonly<Record<string, unknown>>

/** Each in a function, so that several are not a union. */
type AddedBy<Use> = Use extends (...args: never) => infer Result
  ? Awaited<Result> extends NextResult<infer State>
    ? (state: State) => void
    : never
  : never

type Intersection<Functions> = [Functions] extends [never]
  ? Record<never, never>
  : [Functions] extends [(state: infer State) => void]
    ? State
    : never

/** AuthPredicate, whatever the type of the context that it accepts. */
type Predicate = (request: Request, context: never) => unknown

/** What a predicate returns to authorise a call: its result, awaited, without falsy values; `unknown` if none is named. */
type AuthResultOf<E> = 0 extends 1 & E ? unknown : E extends { readonly auth: infer Auth } ? Authorising<Auth> : unknown

type Authorising<Auth> = Auth extends readonly (infer Each)[]
  ? Authorising<Each>
  : Auth extends (...args: never) => infer Result
    ? // biome-ignore lint/suspicious/noConfusingVoidType: a predicate may return nothing
      Exclude<Awaited<Result>, false | 0 | 0n | '' | null | undefined | void>
    : Auth extends 'public'
      ? undefined
      : unknown

/**
 * The context of a call. The server passes it to a parameter of this type, at any position; callers do not pass that parameter. `E` is
 * the Env of the Hono app, for the variables that its middleware sets; its `auth` is the type of the predicate of the procedure.
 *
 * @example
 * export function whoAmI(context: RpcContext<{ Variables: { tenant: string }; auth: typeof isStaff }>): string {
 *   return `${context.authResult.name} of ${context.honoContext?.get('tenant')}`
 * }
 */
// biome-ignore lint/suspicious/noExplicitAny: as Hono's own Context has it, so that one fits every app
export interface RpcContext<E extends RpcEnv = any> {
  /** The name that is called, even if there is no such procedure; `''` in `onError` for what is not a call. */
  readonly method: string
  /** The id of a JSON-RPC request; undefined for notifications and over XML-RPC. Beyond 2^53 it is rounded. */
  readonly id: string | number | null | undefined
  /** The parameters as decoded, not bound and not validated; undefined if they could not be read. */
  readonly params: CallParams | undefined
  /** The HTTP request; a synthetic one without HTTP. Its body has been read. */
  readonly request: Request
  /** The Hono context if Hono routed the request, otherwise undefined. */
  readonly honoContext: Context<E> | undefined
  /**
   * What the host passed with the request, of the type `Bindings` of the Env: Hono's `c.env`, the second argument of
   * `server.fetch`, `{ incoming, outgoing }` on Node. Undefined if there is none.
   */
  readonly env: E['Bindings'] | undefined
  /** Hono's `c.executionCtx`, or the third argument of `server.fetch`, for `waitUntil`; undefined if there is none. */
  readonly executionContext: ExecutionContext | undefined
  /** The transport: `'local'` for `server.call`; the option of `server.handle`, by default `'text'`. */
  readonly transport: 'http' | 'websocket' | 'nats' | 'mcp' | 'local' | 'text' | (string & Record<never, never>)
  /** The server that runs the call, for calls of other procedures. */
  readonly server: CallServer
  /** Undefined if there is none, as for `server.call`. */
  readonly protocol: ProtocolName | undefined
  /** The procedure being called; undefined for an unknown name. */
  readonly procedure: ProcedureInfo | undefined
  /**
   * The result of the predicate that authorised the call, of the first rule of `{ all }`; undefined before, and if none was called, as for
   * `server.call` without a context. Of type `unknown`, unless `RpcContext<{ auth: typeof isStaff }>` names the predicate.
   */
  readonly authResult: AuthResultOf<E>
  /**
   * What middleware has added with `next({ … })`. Its members are of type `unknown`, unless `RpcContext<{ use: typeof withTenant }>` names the
   * middleware, or a list.
   */
  readonly state: StateOf<E>
  /**
   * Aborts with an RpcTimeout when the call times out (`@timeout`, `limits.timeoutMs`) or, where the host reports it, when the client disconnects, or
   * cancels the call over WebSocket: then with an AbortError, which is not an error to `onError`. It follows the request while the call runs.
   */
  readonly signal: AbortSignal
  /**
   * The id of the last event that the client has received of this stream, which `withEventId` gave it: the header `Last-Event-ID`. The items
   * after it are the ones to send. Undefined for a client that begins. It is as the client sent it, and not checked.
   */
  readonly lastEventId: string | undefined
  /**
   * Sends a notification to the caller, also after the call has ended. Undefined if the transport has none, as HTTP:
   * `context.notify?.('progress', [50])`.
   */
  readonly notify: Notify | undefined
}

/**
 * Sends a notification (JSON-RPC 2.0 section 4.1). The promise resolves when the connection accepts more, so that a procedure that awaits
 * it sends no faster than the client reads; it rejects with an AbortError when the connection is closed. It need not be awaited.
 *
 * @throws TypeError if the method is not a string, or the params cannot be serialised
 */
export type Notify = (method: string, params?: CallParams) => Promise<void>
