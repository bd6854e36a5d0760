import type { Context, Env, ExecutionContext } from 'hono'
import type { ProtocolName } from '../protocol.js'
import type { RpcServer } from '../server/server.js'
import type { Exchange } from './exchange.js'
import type { Procedure } from './manifest.js'

/** The Env of a Hono app, and the predicates that authorise a call: `{ Variables: { user: string }; auth: typeof isStaff }`. */
export interface RpcEnv extends Env {
  /** The type of the predicate of a procedure, or of its list of predicates, for `context.authResult`. */
  auth?: Predicate | readonly Predicate[]
}

/** AuthPredicate, whatever the type of the context that it asks for. */
type Predicate = (request: Request, context: never) => unknown

/** What a predicate returns to authorise a call: its result, awaited, without falsy values; `unknown` where none is named. */
type AuthResultOf<E> = 0 extends 1 & E ? unknown : E extends { readonly auth: infer Auth } ? Authorising<Auth> : unknown

type Authorising<Auth> = Auth extends readonly (infer Each)[]
  ? Authorising<Each>
  : Auth extends (...args: never) => infer Result
    ? Exclude<Awaited<Result>, false | 0 | 0n | '' | null | undefined | void>
    : unknown

/**
 * What a procedure may know about the call that runs it. A parameter of this type is filled by the server, whatever its
 * position, and is not on the wire. `E` is the Env of the Hono app, for what its middleware set, and has the type of the
 * predicate that guards the procedure.
 *
 * @example
 * export function whoAmI(context: RpcContext<{ Variables: { tenant: string }; auth: typeof isStaff }>): string {
 *   return `${context.authResult.name} of ${context.honoContext?.get('tenant')}`
 * }
 */
// biome-ignore lint/suspicious/noExplicitAny: as Hono's own Context has it, so that one fits every app
export interface RpcContext<E extends RpcEnv = any> {
  /** The HTTP request; a synthetic one when there is no HTTP. Its body has been read. */
  readonly request: Request
  /** The Hono context, where Hono took the request. */
  readonly honoContext: Context<E> | undefined
  /**
   * What the host gave with the request, typed by the `Bindings` of the Env: Hono's `c.env`, the second argument of
   * `server.fetch`, `{ incoming, outgoing }` on Node. Undefined when there is none.
   */
  readonly env: E['Bindings'] | undefined
  /** Hono's `c.executionCtx`, or the third argument of `server.fetch`, for `waitUntil`; undefined when there is none. */
  readonly executionContext: ExecutionContext | undefined
  /** How the call came in: `'http'`, or `'local'` for `server.call`. */
  readonly transport: string
  readonly server: RpcServer
  /** Undefined when there is none, as for `server.call`. */
  readonly protocol: ProtocolName | undefined
  /** The procedure being called; undefined when none was found. */
  readonly procedure: Procedure | undefined
  /**
   * What the predicate that authorised the call returned; undefined where none was asked, as for `server.call` without a
   * context. Of type `unknown`, unless `RpcContext<{ auth: typeof isStaff }>` names the predicate.
   */
  readonly authResult: AuthResultOf<E>
  /**
   * Aborts when the call times out (`limits.timeoutMs`) or, where the host reports it, when the client disconnects: then with
   * an AbortError, which is not an error to `onError`. It follows the request while the call runs.
   */
  readonly signal: AbortSignal
}

/** The context of one call. What costs something is made when it is asked for. */
export class CallContext implements RpcContext {
  readonly exchange: Exchange
  procedure: Procedure | undefined
  authResult: unknown
  #controller: AbortController | undefined
  #timeout: { readonly reason: unknown } | undefined
  #stopFollowing: (() => void) | undefined
  #ended = false

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  get request(): Request {
    return this.exchange.origin.request
  }

  get honoContext(): Context | undefined {
    return this.exchange.origin.honoContext
  }

  get env(): unknown {
    return this.exchange.origin.env
  }

  get executionContext(): ExecutionContext | undefined {
    return this.exchange.origin.executionContext
  }

  get transport(): string {
    return this.exchange.transport
  }

  get server(): RpcServer {
    return this.exchange.settings.server
  }

  get protocol(): ProtocolName | undefined {
    return this.exchange.codec?.protocol
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#timeout) this.#controller.abort(this.#timeout.reason)
      else this.#follow(this.request.signal, this.#controller)
    }
    return this.#controller.signal
  }

  /** Not AbortSignal.any: what it returns is never freed on Node 20 if it has a listener. */
  #follow(signal: AbortSignal, controller: AbortController): void {
    // Hosts abort with reasons of their own: a string, an AbortError, nothing.
    const abort = () => controller.abort(new DOMException('The client disconnected', 'AbortError'))
    if (signal.aborted) {
      abort()
    } else if (!this.#ended) {
      signal.addEventListener('abort', abort, { once: true })
      this.#stopFollowing = () => signal.removeEventListener('abort', abort)
    }
  }

  /** Ends the call: `signal` no longer follows the request's, which may live longer. */
  end(): void {
    this.#ended = true
    this.#stopFollowing?.()
  }

  /** Ends the time of the call: aborts `signal`, whether it has been asked for or will be. */
  timeOut(reason: unknown): void {
    this.#timeout = { reason }
    this.#controller?.abort(reason)
  }

  /** Throws the reason if the time of this call is over. */
  throwIfTimedOut(): void {
    if (this.#timeout) throw this.#timeout.reason
  }

  /** True if an error says no more than that the client has gone: the reason of a signal, or any other AbortError. */
  isDisconnect(error: unknown): boolean {
    if (!this.exchange.authorises) return false
    const { signal } = this.request
    if (!signal.aborted) return false
    return error === signal.reason || (error as { name?: unknown } | null | undefined)?.name === 'AbortError'
  }
}
