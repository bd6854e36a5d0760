import type { AnyProcedures } from '../types/signatures.js'
import type { RpcParams } from '../values/types.js'
import { type ClientState, parts, rejectSubscription, send, sendBatch } from './call.js'
import { json } from './json.js'
import { type BatchOutcomes, type BatchResults, type RemoteMembers, type RpcRequest, remoteMembers } from './members.js'
import { type CallOptions, type ClientAuth, type ClientOptions, settingsOfClient, withOptions } from './options.js'
import type { SubscribingClient } from './subscriptions.js'

/**
 * A client of procedures. Each procedure is a function that returns a Promise; a dotted name is a member of a member. The members that
 * begin with `$` are those of ClientMembers.
 *
 * `P` maps names to function types, such as `JsonProcedures` of a generated module; `Params` maps names to objects, the parameters by
 * name, such as `JsonParams`; `Errors` maps names to the errors that they declare, such as `JsonErrors`.
 */
export type Client<P, Params = unknown, Errors = unknown> = ClientMembers<P, Params, Errors> &
  RemoteMembers<P, Params, 'call'>

declare const errorsOf: unique symbol

/** The errors that the procedures of a client declare, by procedure. */
export interface DeclaredErrors<Errors> {
  /** For types only. */
  readonly [errorsOf]?: Errors
}

/** The members of a client besides the procedures. */
export interface ClientMembers<P, Params, Errors = unknown, Auth extends ClientAuth = ClientAuth>
  extends DeclaredErrors<Errors> {
  /** Calls by the names of the parameters: `client.$named.user.create({ name: 'Ada' })`. */
  readonly $named: RemoteMembers<P, Params, 'named'>
  /** Sends notifications, which have no response: the Promise resolves when the server has accepted it. */
  readonly $notify: RemoteMembers<P, Params, 'notify'>
  /** Describes calls for `$batch`, and sends nothing: `client.$request.add(1, 2)`. */
  readonly $request: RemoteMembers<P, Params, 'describe'> & {
    readonly $named: RemoteMembers<P, Params, 'describe-named'>
    readonly $notify: RemoteMembers<P, Params, 'describe-notify'>
  }
  /**
   * Makes several calls in one request. Resolves to their results in order; rejects with the first error of a call.
   *
   * @example
   * const [sum, user] = await client.$batch([client.$request.add(1, 2), client.$request.user.find('Ada')])
   */
  $batch<const Requests extends readonly RpcRequest[]>(requests: Requests): Promise<BatchResults<Requests>>
  /** The same with the outcome of each call, in the form of Promise.allSettled. Never rejects. */
  $batchSettled<const Requests extends readonly RpcRequest[]>(requests: Requests): Promise<BatchOutcomes<Requests>>
  /** Calls a procedure whose name is known only at run time, or begins with `$`, or is `then`. */
  $call<Result = unknown>(method: string, params?: RpcParams): Promise<Result>
  /** Returns the parameters of a request as JSON has them, for instance for the key of a cache: `client.$params(client.$request.add(1, 2))`. */
  $params(request: RpcRequest): RpcParams
  /** Returns a client with other options for some calls, and the same connection: `client.$with({ signal }).add(1, 2)`. */
  $with(options: CallOptions<Auth>): this
}

/**
 * Returns a typed client. The URL is checked at the first call.
 *
 * @param url the endpoint, absolute; in a browser, or with `fetch` of the options, it may be relative
 * @example
 * const client = createClient<JsonProcedures>('https://example.org/rpc')
 * const sum = await client.add(1, 2)
 * @throws RpcError from a call: the error in the response
 * @throws RpcTransportError from a call without a response, or with one that is not of the protocol
 * @throws DOMException from a call that exceeds `timeoutMs` (TimeoutError), or whose signal is aborted, unless the signal has another reason
 * @throws TypeError from a call with an invalid URL, or a value that cannot be serialised
 * @throws RpcValueError from a call with a codec, for a value that does not match its type
 */
export function createClient<P = AnyProcedures, Params = unknown, Errors = unknown>(
  url: string | URL,
  options: ClientOptions = {},
): Client<P, Params, Errors> {
  const settings = settingsOfClient(`${url}`, options, options.transport ?? json)
  return clientOf({ settings, signals: [], shared: { id: 0, waiting: new Map() } }, options) as Client<
    P,
    Params,
    Errors
  >
}

function clientOf(base: ClientState, options: CallOptions): unknown {
  const { settings, signals } = base
  const state = { ...base, settings: withOptions(settings, options), signals: signals.concat(options.signal ?? []) }
  const act = (request: RpcRequest) =>
    state.settings.isSubscription(request.method) && !request.notify ? subscribe(request, state) : call(request, state)
  return callStyles(act, {
    $request: callStyles((request) => request),
    $batch: (requests: readonly RpcRequest[]) => Promise.all(sendBatch(requests, state)),
    $batchSettled: (requests: readonly RpcRequest[]) => Promise.allSettled(sendBatch(requests, state)),
    $call: (method: string, params: RpcParams = []) => send({ method, params }, state),
    $params: ({ method, params }: RpcRequest) => state.settings.codec?.encode(method, params, false) ?? params,
    $with: (more: CallOptions) => clientOf(state, more),
  })
}

/** Makes a call. `for await` of its result reports that the client does not know it as a subscription. */
function call(request: RpcRequest, state: ClientState): Promise<unknown> {
  const result = send(request, state)
  return Object.defineProperty(result, Symbol.asyncIterator, {
    value() {
      result.catch(() => {})
      throw new TypeError(`${request.method} is not in the option subscriptions`)
    },
  })
}

function subscribe(request: RpcRequest, state: ClientState): unknown {
  const { settings, signals } = state
  const { codec, resubscribe, transport } = settings
  const { method } = request
  for (const signal of signals) signal.throwIfAborted()
  const decoders = {
    decode: (item: unknown) => (codec?.decodeItem ? codec.decodeItem(method, item) : item),
    decodeError: (error: Error) => codec?.decodeError?.(method, error),
  }
  if (transport === json) {
    return whenLoaded(import('./events.js').then(({ Events }) => new Events(request, state, decoders, parts)))
  }
  if (!transport.subscribe) rejectSubscription(method)
  // An aborted signal ends the subscription, but not the call that unsubscribes.
  const client = clientOf({ ...state, signals: [] }, {}) as SubscribingClient
  return transport.subscribe(client, request, { ...decoders, resubscribe, signals })
}

/** Returns an iterator whose module is still loading. */
function whenLoaded(
  loading: Promise<Pick<Required<AsyncIterator<unknown>>, 'next' | 'return'>>,
): AsyncIterableIterator<unknown> {
  // The first call reports it.
  loading.catch(() => {})
  return {
    next: () => loading.then((items) => items.next()),
    return: () => loading.then((items) => items.return()),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

/** The procedures as members, called by position, by name, and as notifications. */
function callStyles(act: (request: RpcRequest) => unknown, own?: object): unknown {
  return remoteMembers((method, params) => act({ method, params }), {
    $named: remoteMembers((method, [params = {}]) => act({ method, params: params as RpcParams })),
    $notify: remoteMembers((method, params) => act({ method, params, notify: true })),
    ...own,
  })
}
