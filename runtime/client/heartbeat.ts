import type { WebSocketLike } from './socket.js'

/** A connection on which nothing arrives for so many heartbeats is lost. Not one: after a pause of the process a timer may run before what has arrived. */
const MAX_MISSED = 2

/** How long a call has to wait in vain before the connection is doubted. */
const DOUBT_MS = 400

/** The heartbeat where the platform cannot ping. Any response to it is a sign of life, also that the method does not exist. */
const call = '{"jsonrpc":"2.0","method":"rpc.ping","id":"rpc.ping"}'

/** Notices that a connection is dead without being closed: a network that has forgotten it does not close it. */
export class Heartbeat {
  readonly #socket: WebSocketLike
  readonly #onDead: () => void
  readonly #timer: ReturnType<typeof setInterval> & { unref?(): void }
  #missed = 0
  /** When the first heartbeat was sent that nothing has followed. */
  #sentAt = Number.POSITIVE_INFINITY
  #receivedAt = performance.now()

  constructor(socket: WebSocketLike, ms: number, onDead: () => void) {
    this.#socket = socket
    this.#onDead = onDead
    const received = () => this.received()
    // The package ws has no event of the DOM for it, and Bun's WebSocket no `on`.
    if (socket.on) socket.on('pong', received)
    else socket.addEventListener('pong', received)
    this.#timer = setInterval(() => {
      if (this.#missed === MAX_MISSED) onDead()
      else this.#send()
      this.#missed += 1
    }, ms)
    this.#timer.unref?.()
  }

  /** Something has arrived. */
  received(): void {
    this.#missed = 0
    this.#sentAt = Number.POSITIVE_INFINITY
    this.#receivedAt = performance.now()
  }

  /**
   * A call that was sent at a time is given up without a response. If nothing at all has arrived since, and a heartbeat was sent before the
   * call, the connection is dead; without a heartbeat one is sent now.
   */
  doubt(callSentAt: number): void {
    if (this.#receivedAt > callSentAt || performance.now() - callSentAt < DOUBT_MS) return
    if (this.#sentAt <= callSentAt) this.#onDead()
    else this.#send()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #send(): void {
    this.#sentAt = Math.min(this.#sentAt, performance.now())
    if (this.#socket.ping) this.#socket.ping()
    else this.#socket.send(call)
  }
}
