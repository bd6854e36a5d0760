// What is used of a connection, in the names of @nats-io/nats-core: no version of it is imported.

/** A connection of `@nats-io/transport-node`, or another one of `@nats-io/nats-core`. */
export interface NatsConnection {
  /** The NATS server, once connected. */
  readonly info?: { readonly max_payload: number }
  subscribe(subject: string, options: SubscribeOptions): NatsSubscription
  flush(): Promise<void>
  isClosed(): boolean
}

/** Options of `subscribe`. */
export interface SubscribeOptions {
  readonly queue?: string
  callback(error: Error | null, message: NatsMessage): void
}

/** A subscription; `drain` resolves when the last message that was sent to it has reached the callback. */
export interface NatsSubscription {
  drain(): Promise<void>
}

/** A message as NATS delivers it. */
export interface NatsMessage {
  readonly subject: string
  /** The subject of the response; absent or `''` if none is expected. */
  readonly reply?: string
  readonly data: Uint8Array
  readonly headers?: NatsHeaders
  respond(payload?: Uint8Array | string): boolean
}

/** Headers of a message; a name may have several values. */
export interface NatsHeaders {
  keys(): string[]
  values(name: string): string[]
}
