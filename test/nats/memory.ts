import type { NatsConnection as CallingConnection } from 'rpc-gen/client/nats'
import type { NatsConnection, NatsHeaders, NatsMessage, SubscribeOptions } from 'rpc-gen/nats'

/** Headers of a message, as `headers()` of `@nats-io/nats-core` returns them. */
export class MemoryHeaders implements NatsHeaders {
  readonly #values = new Map<string, string[]>()

  append(name: string, value: string): void {
    this.#values.set(name, [...this.values(name), value])
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  values(name: string): string[] {
    return this.#values.get(name) ?? []
  }
}

interface Subscription extends SubscribeOptions {
  readonly subject: string
}

/**
 * What this package uses of NATS, within a process: subjects, queue groups, requests. A request without a subscription rejects as
 * in `@nats-io/nats-core`.
 */
export class MemoryNats implements NatsConnection, CallingConnection<MemoryHeaders> {
  readonly #subscriptions = new Set<Subscription>()
  /** Bytes of responses that were sent since the last flush that has ended, and the most that there were. */
  unflushed = 0
  mostUnflushed = 0

  subscribe(subject: string, options: SubscribeOptions): { drain(): Promise<void> } {
    const subscription = { subject, ...options }
    this.#subscriptions.add(subscription)
    return { drain: async () => void this.#subscriptions.delete(subscription) }
  }

  async flush(): Promise<void> {}

  isClosed(): boolean {
    return false
  }

  closed(): Promise<void> {
    return new Promise(() => {})
  }

  request(subject: string, data: Uint8Array, { headers }: { headers?: MemoryHeaders } = {}): Promise<NatsMessage> {
    const receivers = [...this.#subscriptions].filter((each) => each.subject === subject)
    const [first] = receivers
    if (!first) return Promise.reject(Object.assign(new Error('no responders'), { isNoResponders: () => true }))
    // One of a queue group gets it: each in turn.
    this.#subscriptions.delete(first)
    this.#subscriptions.add(first)
    return new Promise((resolve) => {
      const respond = (payload: Uint8Array | string = '', options: { readonly headers?: NatsHeaders } = {}) => {
        const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload
        this.unflushed += bytes.byteLength
        this.mostUnflushed = Math.max(this.mostUnflushed, this.unflushed)
        resolve({ subject: 'reply', data: bytes, respond: () => false, ...options })
        return true
      }
      first.callback(null, { subject, reply: 'reply', data, respond, ...(headers && { headers }) })
    })
  }
}
