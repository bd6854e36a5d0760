import type { NatsConnection } from './options.js'

/** After so many bytes the NATS server is asked whether it has received them. */
const FLUSH_BYTES = 4 * 1024 * 1024

/** Beyond this many bytes, messages wait. More than `FLUSH_BYTES`, so that sending goes on while the NATS server responds. */
const MAX_BYTES = 2 * FLUSH_BYTES

/** Counts the bytes of responses that the NATS server may not have received. */
export class UnflushedBytes {
  readonly #connection: NatsConnection
  #bytes = 0
  #flushed: Promise<void> | undefined
  #stopWaiting: (() => void) | undefined

  constructor(connection: NatsConnection) {
    this.#connection = connection
    // A flush of a connection that is closed meanwhile never ends.
    void connection.closed().then(() => this.#stopWaiting?.())
  }

  /** Counts a response that was sent. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes >= FLUSH_BYTES) this.#flushed ??= this.#flush()
  }

  /** A promise of the end of the flush that further responses wait for; undefined if they may be sent now. */
  get whenFree(): Promise<void> | undefined {
    return this.#bytes < MAX_BYTES ? undefined : this.#flushed
  }

  async #flush(): Promise<void> {
    const bytes = this.#bytes
    await new Promise<void>((resolve) => {
      this.#stopWaiting = resolve
      // It rejects if the connection is lost, and with it what was not sent.
      this.#connection.flush().then(resolve, () => resolve())
    })
    this.#bytes -= bytes
    this.#flushed = this.#bytes >= FLUSH_BYTES ? this.#flush() : undefined
  }
}
