import type { Context, Env } from 'hono'
import type { Exchange } from './exchange.js'
import type { Procedure } from './manifest.js'
import type { ProtocolName } from './protocol.js'
import type { RpcServer } from './server.js'

/**
 * What a procedure may know about the call that runs it. A parameter of this type is filled by the server, whatever its
 * position, and is not on the wire. `E` is the Env of the Hono app, for what its middleware set:
 * `context.honoContext?.get('user')`.
 */
// biome-ignore lint/suspicious/noExplicitAny: as Hono's own Context has it, so that one fits every app
export interface RpcContext<E extends Env = any> {
  /** The HTTP request; a synthetic one when there is no HTTP. Its body has been read. */
  readonly request: Request
  /** The Hono context, where Hono took the request. */
  readonly honoContext: Context<E> | undefined
  /** How the call came in: `'http'`, or `'local'` for `server.call`. */
  readonly transport: string
  readonly server: RpcServer
  /** Undefined when there is none, as for `server.call`. */
  readonly protocol: ProtocolName | undefined
  /** The procedure being called; undefined when none was found. */
  readonly procedure: Procedure | undefined
  /** What the predicate answered that authorised the call; undefined where none was asked. */
  readonly authResult: unknown
  /** Aborts when the call times out (`limits.timeoutMs`) or, where the host tells, when the client goes away. */
  readonly signal: AbortSignal
}

/** The context of one call. What costs something is made when it is asked for. */
export class CallContext implements RpcContext {
  readonly exchange: Exchange
  procedure: Procedure | undefined
  authResult: unknown
  #timeout: AbortController | undefined
  #signal: AbortSignal | undefined

  constructor(exchange: Exchange) {
    this.exchange = exchange
  }

  get request(): Request {
    return this.exchange.request()
  }

  get honoContext(): Context | undefined {
    return this.exchange.honoContext
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
    this.#timeout ??= new AbortController()
    this.#signal ??= AbortSignal.any([this.#timeout.signal, this.request.signal])
    return this.#signal
  }

  /** Aborts `signal`, whether it has been asked for or will be. */
  abort(reason: unknown): void {
    this.#timeout ??= new AbortController()
    this.#timeout.abort(reason)
  }

  /** Throws the reason when the time of this call is over. */
  throwIfAborted(): void {
    this.#timeout?.signal.throwIfAborted()
  }
}
