// A tool whose procedure is a subscription: its result is the list of the items; each of them is also a notification of progress if the
// request has a token for it.
import type { CallContext } from '../call/context.js'
import type { ItemReceiver } from '../call/scope.js'
import { type ItemSink, Subscription } from '../call/subscription.js'
import { Turns } from '../call/turns.js'
import type { WireError } from '../call/types.js'
import { countStream, watchStream } from '../call/watch-stream.js'
import { ErrorCode, RpcResponseTooLarge } from '../error.js'
import { EventStream, type StreamForm } from '../http/events.js'
import { encodeValue } from '../jsonrpc/codec.js'
import type { Settings } from '../options.js'
import { truncate } from '../values/describe.js'
import type { MessageContext } from './response.js'

/** The most characters of the message of a notification, which is for people. */
const MAX_MESSAGE = 1000

/** What the items of one call become. */
export interface ItemsForm {
  /** The JSON text of the token for notifications; undefined without one. */
  readonly token: string | undefined
  /** Returns the text of the response, for the list of the items or for an error. */
  result(items: readonly unknown[]): string
  error(error: WireError): string
}

/** Collects the items, within the limit of a response. */
function streamFormOf({ token, result, error: failed }: ItemsForm, { limits }: Settings): StreamForm {
  const items: unknown[] = []
  let characters = 0
  return {
    // Clients would resume the response to a tool by a GET, which is not supported.
    hasIds: false,
    item: (value) => {
      const text = encodeValue(value)
      characters += text.length + 1
      if (characters > limits.responseBytes) throw new RpcResponseTooLarge()
      items.push(value)
      const message = JSON.stringify(truncate(progressMessage(value, text), MAX_MESSAGE))
      return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${items.length},"message":${message}}}`
    },
    end: (error) => (error ? failed(error) : result(items)),
  }
}

/** Returns an item for people: a text as it is, also that of a content block. */
function progressMessage(value: unknown, json: string): string {
  if (typeof value === 'string') return value
  const { type, text } = (value ?? {}) as { readonly type?: unknown; readonly text?: unknown }
  return type === 'text' && typeof text === 'string' ? text : json
}

/** Returns a response of events: notifications of progress, and the response to the request. */
export function streamItems(context: CallContext, settings: Settings, form: ItemsForm): EventStream {
  return new EventStream(context, withTimeLimit(context, settings), streamFormOf(form, settings))
}

/** The time of a tool is that of its call: a model waits for it. */
function withTimeLimit({ procedure }: CallContext, settings: Settings): Settings {
  const timeoutMs = procedure?.timeoutMs ?? settings.limits.timeoutMs
  const { durationMs } = settings.streams
  if (!timeoutMs || (durationMs > 0 && durationMs < timeoutMs)) return settings
  return { ...settings, streams: { ...settings.streams, durationMs: timeoutMs } }
}

type ItemNotify = MessageContext['notify']

/** Collects the items of a call whose response is one text. */
export class CollectedItems implements ItemReceiver, ItemSink {
  readonly #context: CallContext
  readonly #settings: Settings
  readonly #form: StreamForm
  readonly #notify: ItemNotify
  /** An item may be large: the second one looks at the clock. */
  readonly #turns = new Turns(2)
  readonly #stops: (() => void)[] = []
  readonly #response: Promise<string>
  #resolve!: (text: string) => void
  #subscription: Subscription | undefined
  #count = 0

  /** @param notify sends a notification of progress; undefined if there are none */
  constructor(context: CallContext, settings: Settings, form: ItemsForm, notify: ItemNotify) {
    this.#context = context
    this.#settings = withTimeLimit(context, settings)
    this.#form = streamFormOf(form, settings)
    this.#notify = form.token === undefined ? undefined : notify
    this.#response = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  collect(): Promise<string> {
    this.#subscription?.start()
    return this.#response
  }

  subscribe(items: AsyncIterator<unknown>): Subscription {
    const options = this.#settings.streams
    this.#stops.push(countStream(this.#settings.server, options.concurrency))
    const subscription = new Subscription(this.#context.call?.id ?? '', items, this.#context, this)
    this.#subscription = subscription
    this.#stops.push(...watchStream(subscription, this.#context, options, () => subscription.end()))
    return subscription
  }

  async send(item: unknown): Promise<void> {
    const { events } = this.#settings.streams
    this.#count += 1
    if (this.#count > events) throw new RpcResponseTooLarge(`Response too large: more than ${events} items`)
    const text = this.#form.item(item)
    await this.#notify?.(text)
    await this.#turns.next()
  }

  end(error?: WireError): void {
    this.#resolve(this.#form.end(error))
  }

  onEnd(): void {
    for (const stop of this.#stops) stop()
    // The client has gone or cancelled the request, unless `end` follows.
    if (!this.#subscription?.isSent) {
      this.#resolve(this.#form.end({ code: ErrorCode.REQUEST_CANCELLED, message: 'Request cancelled' }))
    }
  }
}
