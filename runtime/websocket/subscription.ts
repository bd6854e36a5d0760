import type { CallContext } from '../call/context.js'
import { fail, reauthorize, serializeResult } from '../call/dispatch.js'
import type { CallSubscription, RequestScope } from '../call/scope.js'
import { AuthenticationError, isAbortError } from '../error.js'
import { encodeValue } from '../jsonrpc/codec.js'
import { notificationOf } from '../schema/subscription.js'

/** Sends the items of one AsyncIterable as notifications, no faster than the client reads them. */
export class Subscription implements CallSubscription {
  readonly id: string = crypto.randomUUID()
  readonly items: Promise<void>
  readonly #iterator: AsyncIterator<unknown>
  readonly #context: CallContext
  readonly #send: (text: string) => Promise<void>
  readonly #onEnd: () => void
  /** Asks for the first item. */
  start!: () => void
  #close!: () => void
  #isEnded = false
  #isReauthorizing = false
  /** The error of the caller whose authorisation has ended. */
  #rejection: unknown

  constructor(
    items: AsyncIterable<unknown>,
    context: CallContext,
    send: (text: string) => Promise<void>,
    onEnd: () => void,
  ) {
    this.#iterator = items[Symbol.asyncIterator]()
    this.#context = context
    this.#send = send
    this.#onEnd = onEnd
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

  /** Sends the items, once the client has the id. */
  async #sendItems(closing: Promise<void>): Promise<void> {
    while (!this.#isEnded) {
      const { done, value } = await this.#iterator.next()
      if (this.#isEnded) break
      if (done) return
      await this.#notify(`"result":${this.#encode(value)}`)
    }
    // The procedure may run its `finally` blocks.
    await closing
  }

  /** The middleware around the items gets the error that the client gets, and not the end of the procedure that follows from it. */
  #throwRejection(): void {
    if (this.#rejection !== undefined) throw this.#rejection
  }

  follow(ended: Promise<unknown>): void {
    ended.then(
      () => {
        if (this.#isEnded) return
        this.#finish()
        this.#notifyEnd('"done":true')
      },
      (error: unknown) => (error === this.#rejection ? undefined : this.#reject(error)),
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
      if (this.#isEnded) return
      this.#rejection = error
      await this.#reject(error)
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
    this.#onEnd()
    this.#context.endSubscription()
  }

  /** An AbortError of a subscription that has ended is how its procedure notices. */
  async #reject(error: unknown): Promise<void> {
    const hasEnded = this.#isEnded
    if (hasEnded && isAbortError(error)) return
    const failure = await fail(error, this.#context)
    this.end()
    if (!hasEnded) this.#notifyEnd(`"error":${JSON.stringify(failure.error)}`)
  }

  #encode(value: unknown): string {
    const outcome = serializeResult(value, this.#context, 'an item')
    return outcome.ok ? encodeValue(outcome.value) : 'null'
  }

  /** Clients of Ethereum read a result in every notification. */
  #notifyEnd(how: string): void {
    const { method } = this.#context
    if (notificationOf(method) === method) void this.#notify(how)
  }

  #notify(result: string): Promise<void> {
    const method = JSON.stringify(notificationOf(this.#context.method))
    return this.#send(`{"jsonrpc":"2.0","method":${method},"params":{"subscription":"${this.id}",${result}}}`)
  }
}
