// The context that predicates, middleware and procedures get, one for each call. What is expensive, such as the signal of a time limit, is
// made when it is first read.
//
//   export function whoami(context: RpcContext): string { return context.request.headers.get('x-user') ?? 'nobody' }
import type { Context, ExecutionContext } from 'hono'
import { isAbortError } from '../error.js'
import { onAbort } from '../platform/on-abort.js'
import type { ProtocolName } from '../protocols.js'
import type { RequestScope } from './scope.js'
import type { Call, CallParams, CallServer, CallSubscription, Notify, Outcome, Procedure, RpcContext } from './types.js'

const noState: Readonly<Record<string, unknown>> = Object.freeze({})

/** Whether and how the signal of a call is aborted. */
interface AbortState {
  /** Made when `signal` is first read. */
  controller?: AbortController
  /** Set by `abort`. */
  aborted?: { readonly reason: unknown }
  isCancelled?: boolean
  stopFollowing?: () => void
}

/** The context of one call, or of an error outside of calls. Expensive properties are made when they are first read. */
export class CallContext<C extends Call | undefined = Call | undefined> implements RpcContext {
  readonly scope: RequestScope
  readonly call: C
  procedure: Procedure | undefined = undefined
  authResult: unknown = undefined
  state: Readonly<Record<string, unknown>> = noState
  /** The result that was serialised for middleware, and its outcome, as long as the result cannot have been changed since. */
  serialized: { readonly result: unknown; readonly outcome: Outcome } | undefined = undefined
  /** Set if the call has started one: it lasts longer than the call, and so does `signal`. */
  subscription: CallSubscription | undefined = undefined
  #ended = false
  /** Most calls have none. */
  #abortState: AbortState | undefined = undefined

  constructor(scope: RequestScope, call?: C) {
    this.scope = scope
    this.call = call as C
  }

  get method(): string {
    return this.call?.method ?? ''
  }

  get id(): string | number | null | undefined {
    const id = this.call?.id
    return id === undefined ? undefined : JSON.parse(id)
  }

  get params(): CallParams | undefined {
    return this.call?.invalidValue ? undefined : this.call?.params
  }

  get request(): Request {
    return this.scope.origin.request
  }

  get honoContext(): Context | undefined {
    return this.scope.origin.honoContext
  }

  get env(): unknown {
    return this.scope.origin.env
  }

  get executionContext(): ExecutionContext | undefined {
    return this.scope.origin.executionContext
  }

  get transport(): string {
    return this.scope.transport
  }

  get server(): CallServer {
    return this.scope.settings.server
  }

  get protocol(): ProtocolName | undefined {
    return this.scope.codec?.protocol
  }

  get signal(): AbortSignal {
    const state = this.#makeAbortState()
    if (!state.controller) {
      state.controller = new AbortController()
      if (state.aborted) state.controller.abort(state.aborted.reason)
      else this.#follow(this.request.signal, state.controller)
    }
    return state.controller.signal
  }

  #makeAbortState(): AbortState {
    this.#abortState ??= {}
    return this.#abortState
  }

  get lastEventId(): string | undefined {
    return this.request.headers.get('last-event-id') || undefined
  }

  get notify(): Notify | undefined {
    return this.scope.connection?.notify
  }

  /** Not AbortSignal.any: what it returns is never freed on Node 20 if it has a listener. */
  #follow(signal: AbortSignal, controller: AbortController): void {
    // Hosts abort with their own reasons: a string, an AbortError, nothing.
    const abort = () => controller.abort(new DOMException('The client disconnected', 'AbortError'))
    if (signal.aborted) {
      abort()
    } else if (!this.#ended) {
      this.#makeAbortState().stopFollowing = onAbort(signal, abort)
    }
  }

  /** Ends the call: `signal` no longer follows the request's, which may live longer. */
  end(): void {
    if (this.subscription) return
    this.#ended = true
    this.#abortState?.stopFollowing?.()
  }

  /** Ends the subscription that the call has started: aborts `signal`. */
  endSubscription(): void {
    this.subscription = undefined
    this.abort(new DOMException('The subscription has ended', 'AbortError'))
    this.end()
  }

  /** Aborts the call, because its time is over or nobody waits for it: aborts `signal`, even if that is read later. */
  abort(reason: unknown): void {
    const state = this.#makeAbortState()
    state.aborted = { reason }
    state.controller?.abort(reason)
  }

  /** Aborts `signal`, even if that is read later, because the caller has given the call up. A call that has ended is not affected. */
  cancel(): void {
    if (this.#ended || this.#abortState?.isCancelled) return
    this.#makeAbortState().isCancelled = true
    this.abort(new DOMException('The client cancelled the call', 'AbortError'))
  }

  /** True if an error means only that the caller has given the call up: the reason of `signal`, or any other AbortError. */
  isCancellation(error: unknown): boolean {
    return this.#abortState?.isCancelled === true && isAbortError(error)
  }

  /** Throws the reason if `abort` was called: not if the client has disconnected. */
  throwIfAborted(): void {
    const aborted = this.#abortState?.aborted
    if (aborted) throw aborted.reason
  }

  /**
   * True if an error means only that the client has disconnected: the reason of a signal, or any other AbortError. Never throws, also
   * where the request cannot be made.
   */
  isDisconnect(error: unknown): boolean {
    if (!this.scope.requireAuth) return false
    try {
      const { signal } = this.request
      return signal.aborted && (error === signal.reason || isAbortError(error))
    } catch {
      return false
    }
  }
}
