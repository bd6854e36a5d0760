// Messages that come at once over one connection of Node: pipelined requests of HTTP/1, and those of a session of HTTP/2. They are handled in
// their order, and nothing is read while one waits: for other work, or for a client that reads nothing.
//
//   one read of a socket with 500 requests  →  ten milliseconds of them, other work, ten milliseconds of them, …
import type { RequestScope } from './scope.js'
import { Turns } from './turns.js'

/** What messages are read from. The session of HTTP/2 cannot be paused. */
export interface MessageSource {
  pause?(): void
  resume?(): void
}

/** The connections that a server has had several messages of at once. */
export class Connections {
  readonly #known = new WeakMap<MessageSource, Connection>()

  of(source: MessageSource): Connection {
    const known = this.#known.get(source)
    if (known) return known
    const made = new Connection(source)
    this.#known.set(source, made)
    return made
  }
}

/** A response that is not sent. */
export interface UnsentResponse {
  /** Bytes, or about as many characters. */
  readonly size: number
  /** Set when the message is handled: what is kept of a batch that is not complete is in its budget. */
  scope: RequestScope | undefined
}

/** The most bytes of responses that a connection holds when the next message is handled. */
const MAX_UNSENT = 8 * 2 ** 20

/** A message that waits for its turn. */
interface WaitingMessage {
  /** Called when the messages before it have been handled: returns a promise of what it has to wait for besides. */
  readonly before: () => Promise<void> | undefined
  readonly handle: () => void
}

/** One connection: the messages that wait, and the responses that are not sent. */
export class Connection {
  readonly #source: MessageSource
  readonly #unsent = new Set<UnsentResponse>()
  #waiting: WaitingMessage[] | undefined
  #onSent: () => void = () => {}

  constructor(source: MessageSource) {
    this.#source = source
  }

  /** Returns a promise of the turn of a message, undefined if it may be handled now. */
  turn(before: WaitingMessage['before']): Promise<void> | undefined {
    const queue = this.#waiting
    if (queue) return new Promise((handle) => queue.push({ before, handle }))
    const turns = new Turns(1)
    const turn = turns.next() ?? before()
    return turn && new Promise((handle) => void this.#release([{ before, handle }], turn, turns))
  }

  async #release(queue: WaitingMessage[], turn: Promise<void>, turns: Turns): Promise<void> {
    this.#waiting = queue
    this.#source.pause?.()
    await turn
    // The queue grows while it is iterated.
    for (const { before, handle } of queue) {
      await before()
      handle()
      await turns.next()
    }
    this.#waiting = undefined
    this.#source.resume?.()
  }

  /** Returns a promise that resolves when the responses that are not sent are not too large; undefined if they are not now. */
  room(): Promise<void> | undefined {
    let size = 0
    for (const response of this.#unsent) size += response.size
    if (size <= MAX_UNSENT) return undefined
    return new Promise<void>((resolve) => {
      this.#onSent = resolve
    }).then(() => this.room())
  }

  /** Counts a response until the function that it returns is called. */
  hold(response: UnsentResponse): () => void {
    this.#unsent.add(response)
    return () => {
      this.#unsent.delete(response)
      this.#onSent()
    }
  }
}
