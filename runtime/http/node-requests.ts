// Requests of Node, of node:http and of the compatibility API of node:http2: what is used of the objects that its hosts pass as `env`, and the
// turns of those that come at once over one connection, pipelined or in a session of HTTP/2. They are handled in their order. While a pipelined
// request waits for the response before it, at most the rest of one read of the socket (64 KiB) and of one body is kept.
//
//   one read of a socket with 500 requests  →  ten milliseconds of them, other work, ten milliseconds of them, …
import type { RequestScope } from '../call/scope.js'
import { Turns } from '../call/turns.js'

/** The members that middleware adds to Node's IncomingMessage when it reads the body. */
export interface ParsedMessage {
  /** The bytes, or their text, by the convention of body parsers and serverless hosts. */
  readonly rawBody?: unknown
  /** The result of a body parser: the value of JSON, a text or bytes. Some hosts parse it when it is read, and throw. */
  readonly body?: unknown
}

/** What is used of Node's IncomingMessage and Http2ServerRequest. */
export interface NodeRequest extends ParsedMessage {
  rawBody?: unknown
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly httpVersionMajor: number
  readonly destroyed: boolean
  /** Null until a listener reads it. */
  readonly readableFlowing: boolean | null
  readonly readableDidRead: boolean
  readonly socket?: Pausable
  /** Of HTTP/2. */
  readonly stream?: IncomingStream
  pause(): unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): this
  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'end' | 'close', listener: () => void): this
  off(event: 'data', listener: (chunk: Uint8Array) => void): this
}

/** A socket, or the session of HTTP/2, which is never paused. */
interface Pausable {
  pause?(): void
  resume?(): void
  on?(event: 'resume', listener: () => void): unknown
  off?(event: 'resume', listener: () => void): unknown
}

/** A request of HTTP/2. */
export interface IncomingStream {
  readonly aborted?: boolean
  readonly closed?: boolean
  readonly session?: object | undefined
}

/** What is used of Node's ServerResponse and Http2ServerResponse. */
interface NodeResponse {
  /** Null while the response before it on the connection is sent. */
  readonly socket?: unknown
  /** Of HTTP/2. */
  readonly stream?: { readonly writableLength: number; readonly closed: boolean }
  once(event: 'socket' | 'close', listener: () => void): this
}

/** What hosts on Node pass with a request. Some pass an object of their own, without most members. Other hosts pass neither. */
export interface NodeHost {
  readonly incoming?: Partial<NodeRequest>
  readonly outgoing?: NodeResponse | null
}

const elsewhere: NodeHost = {}

/** Returns the request and the response of Node that a host has passed; neither elsewhere. */
export function nodeOf(env: unknown): NodeHost {
  const node = (env ?? elsewhere) as NodeHost
  return typeof node.incoming === 'object' && node.incoming !== null ? node : elsewhere
}

/** True if a request came over HTTP/1 of Node. */
export function isNodeHttp1({ incoming }: NodeHost): boolean {
  return incoming?.httpVersionMajor === 1
}

/** True for an error of Node that means only that the client has disconnected, or cancelled its request. */
export function isNodeDisconnect(error: unknown): boolean {
  return /^(ECONNRESET|ERR_HTTP2_.*)$/.test(`${(error as { readonly code?: unknown } | undefined)?.code}`)
}

/** The connections of the process that have had several requests at once, by what the host has for them. */
const connections = /* @__PURE__ */ new WeakMap<object, HttpConnection>()

function connectionOf({ incoming }: NodeHost): HttpConnection | undefined {
  const { socket, stream } = incoming ?? {}
  const source: Pausable | undefined = stream ? stream.session : socket
  if (!source) return undefined
  const known = connections.get(source)
  if (known) return known
  const made = new HttpConnection(source)
  connections.set(source, made)
  return made
}

/**
 * Returns a promise of the turn of a request that comes with others, undefined if it may be handled now. A client that reads nothing gets no
 * further calls run: a pipelined request waits until the response before it has been sent, one of HTTP/2 for those that are too large.
 */
export function turnOf(node: NodeHost): Promise<void> | undefined {
  const connection = connectionOf(node)
  const sent = node.incoming?.stream ? undefined : socketOf(node.outgoing)
  return connection && sent ? connection.wait(sent.then(() => connection.turn())) : connection?.turn()
}

/** Waits until the response before this one has been sent. */
function socketOf(outgoing: NodeHost['outgoing']): Promise<void> | undefined {
  return outgoing?.socket === null ? new Promise((resolve) => outgoing.once('socket', resolve)) : undefined
}

/** Counts the response to a request of HTTP/2 until it is closed, with what is kept of a batch that is not complete. */
export function countResponse(node: NodeHost, scope?: Pick<RequestScope, 'budget'>): void {
  const { incoming, outgoing } = node
  if (!incoming?.stream) return
  const connection = connectionOf(node)
  // Its request may have been cancelled since its turn.
  if (!outgoing || !connection || outgoing.stream?.closed) return
  const sizeOf = () => (outgoing.stream?.writableLength ?? 0) + (scope?.budget?.characters ?? 0)
  outgoing.once('close', connection.count(sizeOf))
}

/** The most bytes of responses that a connection has not sent when the next request is handled. */
const MAX_UNSENT = 8 * 2 ** 20

/** One connection of HTTP: the requests that wait, and the responses that are not sent. */
class HttpConnection {
  readonly #source: Pausable
  /** The size of each response, in bytes or about as many characters. */
  readonly #unsent = new Set<() => number>()
  #waiting = 0
  #queue: (() => void)[] | undefined
  #onSent: () => void = () => {}

  constructor(source: Pausable) {
    this.#source = source
  }

  /** Waits for a promise; nothing is read of the socket meanwhile. */
  async wait(promise: Promise<void>): Promise<void> {
    this.#waiting += 1
    if (this.#waiting === 1) {
      // Node resumes a socket after each request that is complete, and for more of a body.
      this.#source.on?.('resume', this.#pause)
      this.#pause()
    }
    await promise
    this.#waiting -= 1
    if (this.#waiting > 0) return
    this.#source.off?.('resume', this.#pause)
    this.#source.resume?.()
  }

  readonly #pause = () => void this.#source.pause?.()

  /** Returns a promise of the turn of a request, undefined if it may be handled now. */
  turn(): Promise<void> | undefined {
    const queue = this.#queue
    if (queue) return new Promise((handle) => queue.push(handle))
    const turns = new Turns(1)
    const turn = turns.next() ?? this.room()
    return turn && new Promise((handle) => void this.#release([handle], turn, turns))
  }

  async #release(first: readonly (() => void)[], turn: Promise<void>, turns: Turns): Promise<void> {
    this.#queue = []
    await turn
    // Those that come meanwhile are in another list: a connection that is never idle keeps none that was handled.
    for (let list = first; list.length > 0; list = this.#takeQueue()) {
      for (const handle of list) {
        await this.room()
        handle()
        await turns.next()
      }
    }
    this.#queue = undefined
  }

  #takeQueue(): readonly (() => void)[] {
    const queue = this.#queue ?? []
    this.#queue = []
    return queue
  }

  /** Returns a promise that resolves when the responses that are not sent are not too large; undefined if they are not now. */
  room(): Promise<void> | undefined {
    let size = 0
    for (const sizeOf of this.#unsent) size += sizeOf()
    if (size <= MAX_UNSENT) return undefined
    return new Promise<void>((resolve) => {
      this.#onSent = resolve
    }).then(() => this.room())
  }

  /** Counts a response of this size until the function that it returns is called. */
  count(sizeOf: () => number): () => void {
    this.#unsent.add(sizeOf)
    return () => {
      this.#unsent.delete(sizeOf)
      this.#onSent()
    }
  }
}

/** Texts that are longer are sent as bytes on Node. */
const MAX_SENT_TEXT = 65_536

const encoder = /* @__PURE__ */ new TextEncoder()

/** As the reader's TypeScript has it: typed arrays have a parameter since 5.7, and before that it is an error in declarations. */
type Bytes = ReturnType<typeof encoder.encode>

/**
 * Returns what Node is given to send: it keeps three bytes for each character of a text that waits for the client, and of bytes no more than
 * these.
 */
export function toSend(text: string): string | Bytes {
  return text.length > MAX_SENT_TEXT ? encoder.encode(text) : text
}
