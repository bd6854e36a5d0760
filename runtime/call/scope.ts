// What the calls of one message share: where it came from, and the limits that they use up together. An entry point makes one scope for
// each message.
//
//   a batch of two calls  →  one scope, with one budget for the bytes of both responses
import { RpcInvalidRequest, withoutStack } from '../error.js'
import { localResultWire, MAX_STEPS, type StepLimit, type Wire } from '../values/wire.js'
import type { Awaitable } from './maybe-async.js'
import type { ResponseBudget } from './response-budget.js'
import type {
  AuthPredicate,
  Call,
  CallSettings,
  CallSubscription,
  Codec,
  Entry,
  LocalContext,
  Notify,
  RpcContext,
} from './types.js'

/** What calls may know of where their request came from. */
export type Origin = Pick<RpcContext, 'request' | 'honoContext' | 'env' | 'executionContext'>

/** Where a call that returns an AsyncIterable sends its items. */
export interface ItemReceiver {
  /** Sends the items once the response has been sent. @throws RpcInvalidRequest if there are too many subscriptions */
  subscribe(items: AsyncIterator<unknown>, context: RpcContext): CallSubscription
}

/** A connection that carries many messages, and notifications to the client. */
export interface CallConnection extends ItemReceiver {
  readonly notify: Notify
  /** Called with the entries of a batch before the first of them is run. */
  expect(entries: readonly Entry[]): void
  /** Called when an entry of the batch has begun, with its response, or a promise of it. */
  begun(entry: Entry, response: Awaitable<string | undefined>): void
  /** Called with the response to an entry of the batch, if it has one, which is kept until all have ended. */
  keep(text: string | undefined): void
  /** Runs a call now, or when enough of the calls of the connection have ended. */
  run<T>(context: CancellableCall, call: () => Awaitable<T>): Awaitable<T>
  /** Cancels the calls of an id that have not ended. */
  cancel(id: string | number | bigint): void
  /** Ends a subscription; returns false if there is none of this id. */
  unsubscribe(id: unknown): boolean
}

/** A call that its caller can cancel. */
export interface CancellableCall {
  readonly call: Call | undefined
  cancel(): void
}

/** How the calls of one request are run. */
interface ScopeOptions {
  /** Default `'http'`. */
  readonly transport?: string
  /** False for a call from the same process without a caller. Default true. */
  readonly requireAuth?: boolean
  /** Bytes of the body, decompressed. Default 0: there is none. */
  readonly bodyBytes?: number
  /** How results are written. Default: as the codec does, or as values of the process. */
  readonly resultWire?: Wire | undefined
  /** What limits the work for the parameters of several requests. Default: what limits that of a body of this size. */
  readonly steps?: RequestSteps | undefined
  /** The connection that the message came over, where the transport has one. */
  readonly connection?: CallConnection | undefined
  /**
   * Returns what receives the items of a call, where the transport has no connection and a response may consist of them.
   *
   * @throws RpcError if the response to this request may not
   */
  readonly openStream?: ((context: RpcContext) => Promise<ItemReceiver>) | undefined
}

/** One request and what its calls share. */
export interface RequestScope<C extends Codec | undefined = Codec | undefined>
  extends DescribingMessage,
    Required<Omit<ScopeOptions, 'steps' | 'resultWire'>> {
  readonly settings: CallSettings
  /** The codec of the protocol; undefined if values stay in the process. */
  readonly codec: C
  readonly origin: Origin
  readonly resultWire: Wire
  /** What limits the work for its parameters. */
  readonly steps: RequestSteps
  /** What is left of `limits.responseBytes` while the entries of a batch or a multicall are run; undefined for a single call. */
  budget: ResponseBudget | undefined
  /** The results of predicates that get the request alone; made with the first of them. */
  authResults: Map<AuthPredicate, Awaitable<unknown>> | undefined
}

/** A message whose calls may describe the API. */
export interface DescribingMessage {
  /** What was described in it; made with the first description. */
  described: Set<string> | undefined
}

/** Creates the scope of one request. */
export function createScope<C extends Codec | undefined>(
  settings: CallSettings,
  codec: C,
  origin: Origin,
  {
    transport = 'http',
    requireAuth = true,
    bodyBytes = 0,
    steps = new RequestSteps(bodyBytes),
    connection,
    openStream,
    resultWire = codec ? codec.wires.encode : localResultWire,
  }: ScopeOptions = {},
): RequestScope<C> {
  return {
    settings,
    codec,
    origin,
    transport,
    requireAuth,
    bodyBytes,
    connection,
    openStream,
    steps,
    resultWire,
    budget: undefined,
    authResults: undefined,
    described: undefined,
  }
}

/** An origin whose Request is made when it is first read. */
export class LazyOrigin implements Origin {
  readonly honoContext: Origin['honoContext']
  readonly env: unknown
  readonly executionContext: Origin['executionContext']
  readonly #makeRequest: () => Request
  #request: Request | undefined

  /** `makeRequest` is called at most once, and not if the context has a request. Default: one without headers. */
  constructor(context: LocalContext, makeRequest: () => Request = emptyRequest) {
    this.honoContext = context.honoContext
    this.env = context.env
    this.executionContext = context.executionContext
    this.#request = context.request
    this.#makeRequest = makeRequest
  }

  get request(): Request {
    this.#request ??= this.#makeRequest()
    return this.#request
  }
}

function emptyRequest(): Request {
  return new Request('http://localhost/')
}

/** Returns an origin with another Request, which is made when it is first read. */
export function withRequest({ honoContext, env, executionContext }: Origin, makeRequest: () => Request): Origin {
  return new LazyOrigin({ honoContext, env, executionContext }, makeRequest)
}

/**
 * Rejects what a message asks for twice: a short call has a long description as its result, and a message has many calls.
 *
 * @param message what its calls share, such as their scope
 * @param what the name of the method, and of what it describes
 * @throws RpcInvalidRequest
 */
export function checkRepeated(message: DescribingMessage, what: string): void {
  message.described ??= new Set()
  if (message.described.has(what)) {
    throw withoutStack(() => new RpcInvalidRequest(`Invalid Request: ${what} is called more than once in a message`))
  }
  message.described.add(what)
}

/** To read the values of smaller requests takes no relevant time. Bytes. */
const SMALL_BODY = 65_536

/** What limits the work for the parameters of a request. */
export class RequestSteps {
  /**
   * For unions, Sets and Maps; undefined for a small request. The work is linear in the size of the request; the limit is for types with very many
   * branches.
   */
  readonly reading: StepLimit | undefined
  #explaining: StepLimit | undefined

  constructor(bodyBytes: number) {
    this.reading = bodyBytes > SMALL_BODY ? stepLimit() : undefined
  }

  /** For the reasons of errors. Of its own: what is wrong with one call does not reject another. */
  get explaining(): StepLimit {
    this.#explaining ??= stepLimit()
    return this.#explaining
  }
}

function stepLimit(): StepLimit {
  let left = MAX_STEPS
  return {
    take(count) {
      left -= count
      if (left < 0) throw new RpcInvalidRequest(undefined, { data: `more than ${MAX_STEPS} steps to read values` })
    },
  }
}
