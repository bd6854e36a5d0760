// The loop over the items of an AsyncIterable, whatever the transport: it requests an item when the one before is sent, calls the predicates
// again, and ends with the client, the time or an error.
//
//   async function* ticks() { yield 1; yield 2 }  →  send(1), send(2), end()
import { AuthenticationError, isAbortError } from '../error.js'
import { CallContext } from './context.js'
import { checkAuth, serializeResult } from './dispatch.js'
import { fail } from './failure.js'
import type { RequestScope } from './scope.js'
import { ItemWithId } from './subscribe.js'
import type { CallSubscription, WireError } from './types.js'

/** Where the items of one AsyncIterable are sent, in the form of a transport. */
export interface ItemSink {
  /** The response to the call, where it is a stream of the items. */
  readonly stream?: ReadableStream<Uint8Array>
  /** Returns the response to the call, where it is one text, after the last item. */
  collect?(): Promise<string>
  /**
   * Sends an item, serialised; the next one is requested when the promise resolves. An error that it throws ends the subscription.
   *
   * @param eventId the id that the procedure has given it
   */
  send(item: unknown, eventId?: string): Promise<void>
  /** Sends the end: after the last item, or the error of the procedure. */
  end(error?: WireError): void
  /** Called when the subscription ends, before `end`, or without it if the client has ended it. */
  onEnd(): void
}

/** The items of one AsyncIterable, which are requested no faster than the client reads them. */
export class Subscription implements CallSubscription {
  readonly id: string
  readonly items: Promise<void>
  readonly #iterator: AsyncIterator<unknown>
  readonly #context: CallContext
  readonly #sink: ItemSink
  /** Requests the first item. */
  start!: () => void
  #close!: () => void
  #isEnded = false
  #hasEnd = false
  #isReauthorizing = false
  /** The error that the client gets; undefined may be thrown, too. */
  #rejection: { readonly error: unknown } | undefined

  constructor(id: string, iterator: AsyncIterator<unknown>, context: CallContext, sink: ItemSink) {
    this.id = id
    this.#iterator = iterator
    this.#context = context
    this.#sink = sink
    // Both continue in the asynchronous context of the call, so that the body of the procedure has the AsyncLocalStorage of middleware.
    const started = new Promise<void>((resolve) => {
      this.start = resolve
    })
    const closing = new Promise<void>((resolve) => {
      this.#close = resolve
    }).then(async () => {
      await this.#iterator.return?.()
    })
    this.items = Promise.race([started.then(() => this.#sendItems(closing)), closing]).then(
      () => this.#throwRejection(),
      (error) => {
        if (isAbortError(error)) this.#throwRejection()
        throw error
      },
    )
  }

  /** True if the client gets the items, or an end: false once it, or the call that has started it, has ended it. */
  get isSent(): boolean {
    return !this.#isEnded || this.#hasEnd
  }

  get stream(): ReadableStream<Uint8Array> | undefined {
    return this.isSent ? this.#sink.stream : undefined
  }

  collect(): Promise<string> | undefined {
    return this.isSent ? this.#sink.collect?.() : undefined
  }

  /** Sends the items, once the client has the id. */
  async #sendItems(closing: Promise<void>): Promise<void> {
    while (!this.#isEnded) {
      const { done, value } = await this.#iterator.next()
      if (this.#isEnded) break
      if (done) return
      if (value instanceof ItemWithId) await this.#sink.send(this.#serialize(value.item), value.id)
      else await this.#sink.send(this.#serialize(value))
    }
    // The procedure may run its `finally` blocks.
    await closing
  }

  /** The middleware around the items gets the error of the client, and not the end of the procedure that follows from it. */
  #throwRejection(): void {
    if (this.#rejection) throw this.#rejection.error
  }

  follow(ended: Promise<unknown>): void {
    ended.then(
      () => {
        if (this.#isEnded) return
        this.#hasEnd = true
        this.#finish()
        this.#sink.end()
      },
      (error: unknown) => (this.#rejection && Object.is(error, this.#rejection.error) ? undefined : this.reject(error)),
    )
  }

  /**
   * Calls the predicates again, and ends with their error if none authorises the caller any more, or if they have not decided since the
   * last time.
   */
  async reauthorize(scope: RequestScope): Promise<void> {
    try {
      if (this.#isReauthorizing) throw new AuthenticationError()
      this.#isReauthorizing = true
      await reauthorize(this.#context, scope)
      this.#isReauthorizing = false
    } catch (error) {
      if (!this.#isEnded && !this.#hasEnd) await this.reject(error)
    }
  }

  /** Ends the iterator, and the signal of the call. */
  end(): void {
    if (this.#isEnded) return
    this.#finish()
    this.#close()
    this.start()
  }

  #finish(): void {
    this.#isEnded = true
    this.#sink.onEnd()
    this.#context.endSubscription()
  }

  /** Ends with an error. An AbortError of a subscription that has ended is how its procedure notices. */
  async reject(error: unknown): Promise<void> {
    const hasEnded = this.#isEnded || this.#hasEnd
    if (hasEnded && isAbortError(error)) return
    if (!hasEnded) {
      this.#hasEnd = true
      this.#rejection = { error }
    }
    const failure = await fail(error, this.#context)
    this.end()
    if (!hasEnded) this.#sink.end(failure.error)
  }

  #serialize(value: unknown): unknown {
    return serializeResult(value, this.#context, 'an item').value
  }
}

/**
 * Calls the predicates of a call again, in another scope, while the subscription that it has started is running.
 *
 * @throws RpcError if its auth does not authorise the call any more
 */
async function reauthorize({ call, procedure, server }: CallContext, scope: RequestScope): Promise<void> {
  const context = new CallContext(scope, call)
  context.procedure = procedure
  try {
    await checkAuth((procedure ?? server).auth, context)
  } finally {
    context.end()
  }
}
