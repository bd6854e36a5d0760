import type { WSContext } from 'hono/ws'
import { Turns } from '../call/turns.js'
import { bufferedAmountOf } from './socket.js'

/** Bytes that a host may have buffered before the next text waits; Bun drops texts beyond 1 MiB. */
const HIGH_WATER = 512 * 1024

/** Added to the length of each waiting text: what it takes beside its characters. */
const TEXT_OVERHEAD = 512

/** Milliseconds between checks of what the host has buffered: no adapter reports that it has been sent. */
const POLL_MS = 10

/** Of the texts that did not wait: a promise for each would be most of the memory of a loop that sends many. */
const sentAtOnce = Promise.resolve()

/** Sends the texts of a connection, which wait until the client has read earlier ones. */
export class Outbox {
  readonly #limit: number
  readonly #onDrained: () => void
  readonly #onFull: () => void
  readonly #turns = new Turns()
  #sender: WSContext | undefined
  #waiting: { readonly text: string; readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = []
  #size = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** What sending returns after the end: one promise, since a loop may send a million notifications and await none. */
  #ended: Promise<never> | undefined
  /** The turn that a loop waits for before it gets `#ended`, and the promise of both. */
  #pacedTurn: Promise<void> | undefined
  #paced!: Promise<never>

  /**
   * @param limit the characters that may wait, `TEXT_OVERHEAD` more for each text
   * @param onDrained called when nothing waits any more
   * @param onFull called when more than the limit waits
   */
  constructor(limit: number, onDrained: () => void, onFull: () => void) {
    this.#limit = limit
    this.#onDrained = onDrained
    this.#onFull = onFull
  }

  attach(sender: WSContext): void {
    this.#sender ??= sender
  }

  /** True if a text would be sent at once. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /**
   * Sends a text, now or when the client has read earlier ones. The promise resolves when the host has accepted it; its rejection may be
   * ignored.
   */
  send(text: string): Promise<void> {
    if (this.#ended) return this.#ended
    if (this.isEmpty && this.#canSend()) {
      this.#deliver(text)
      return sentAtOnce
    }
    this.#size += sizeInOutbox(text)
    const sent = new Promise<void>((resolve, reject) => void this.#waiting.push({ text, resolve, reject }))
    sent.catch(() => {})
    this.#timer ??= setTimeout(() => this.#flush(), POLL_MS)
    if (this.#size > this.#limit) this.#onFull()
    return sent
  }

  /** Does the same; a loop that awaits the promise gives the thread back to other connections, also if it is rejected. */
  sendPaced(text: string): Promise<void> {
    if (this.#ended) return this.#pacedEnd(this.#ended)
    const sent = this.send(text)
    const turn = this.#turns.next()
    if (!turn) return sent
    const paced = turn.then(() => sent)
    paced.catch(() => {})
    return paced
  }

  #pacedEnd(ended: Promise<never>): Promise<never> {
    const turn = this.#turns.next()
    if (!turn) return ended
    if (turn !== this.#pacedTurn) {
      this.#pacedTurn = turn
      this.#paced = turn.then(() => ended)
      this.#paced.catch(() => {})
    }
    return this.#paced
  }

  /** Rejects the waiting texts. Nothing is sent any more. */
  end(reason: unknown): void {
    this.#ended = Promise.reject(reason)
    this.#ended.catch(() => {})
    clearTimeout(this.#timer)
    this.#sender = undefined
    for (const { reject } of this.#waiting) reject(reason)
    this.#waiting = []
    this.#size = 0
  }

  /** Some hosts throw if the connection has just been closed, before they report that it is: older versions of Deno. */
  #deliver(text: string): void {
    try {
      this.#sender?.send(text)
    } catch {}
  }

  #canSend(): boolean {
    return bufferedAmountOf(this.#sender?.raw) <= HIGH_WATER
  }

  #flush(): void {
    this.#timer = undefined
    let count = 0
    for (const { text, resolve } of this.#waiting) {
      if (!this.#canSend()) break
      this.#deliver(text)
      this.#size -= sizeInOutbox(text)
      count += 1
      resolve()
    }
    this.#waiting.splice(0, count)
    if (this.isEmpty) this.#onDrained()
    else this.#timer = setTimeout(() => this.#flush(), POLL_MS)
  }
}

function sizeInOutbox(text: string): number {
  return text.length + TEXT_OVERHEAD
}
