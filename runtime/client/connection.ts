// The WebSocket of a client: opened by the first call, watched by heartbeats, and opened again when it is lost, after 200 ms, 400 ms …
import { PING } from '../description/system-names.js'
import { later, repeat } from '../platform/timers.js'
import { delayOf } from './call.js'
import { type HiddenReason, RpcTransportError } from './errors.js'
import { parseJson } from './json.js'
import type { Retries, TransportSettings } from './options.js'

/** Options of `webSocket`; everything has a default. */
export interface WebSocketOptions {
  /** Called for each notification of the server, in order. Default: notifications are ignored. */
  readonly onNotification?: (method: string, params: unknown) => void
  /** Called each time the connection is opened, for instance to subscribe again. Default: none. */
  readonly onOpen?: () => void
  /** Called when a connection that was open is closed. Default: none. */
  readonly onClose?: (closed: ClosedConnection) => void
  /**
   * How often and after which delay a lost connection is opened again; `false`: by the next call. The delay doubles from `baseMs` to
   * `maxMs`; the actual delay is random, between half of that and the whole. Default:
   * `{ baseMs: 200, maxMs: 30_000, attempts: Infinity }`.
   */
  readonly reconnect?: false | Retries
  /**
   * Milliseconds between heartbeats; a connection on which nothing arrives for two of them is lost, and opened again. A heartbeat is a
   * ping where the platform can (the package ws, Bun), and otherwise a call of `rpc.ping`. 0 for none. Default 20,000.
   */
  readonly heartbeatMs?: number
  /**
   * Texts that servers send as heartbeats, with the reply to each; null for none. They are not JSON-RPC. Default:
   * `{ ping: null, pong: null, '': null }`.
   */
  readonly heartbeatTexts?: Readonly<Record<string, string | null>>
  /** Milliseconds that opening a connection may take; 0 for no limit but that of the platform. Default 30,000. */
  readonly openMs?: number
  /**
   * Whether the notification `$/cancelRequest` is sent for a call that is given up by a signal or `timeoutMs`, so that the server cancels it.
   * Default true.
   */
  readonly cancel?: boolean
  /**
   * Opens a connection: for headers, subprotocols, or a platform without `WebSocket` such as Node 20. Default:
   * `(url) => new WebSocket(url)`.
   */
  readonly connect?: (url: string) => WebSocketLike
}

/** Why a connection was closed (RFC 6455 section 7.4). */
export interface ClosedConnection {
  readonly code: number
  readonly reason: string
}

/** How long a connection has to be open before its loss is not counted as a further failed attempt. */
const STABLE_MS = 5000

const heartbeats: Readonly<Record<string, string | null>> = { ping: null, pong: null, '': null }

/** How long a server has to close a connection that the client closes, before it is destroyed where the platform can. */
const CLOSE_MS = 2000

/** Handles the messages and the end of a connection. */
interface Receiver {
  /**
   * Gets each message, parsed, and the number of its characters. Returns why the connection has to be closed; undefined if it is not.
   */
  receive(message: unknown, socket: WebSocketLike, characters: number): string | undefined
  /**
   * A connection that was open is lost, also because of an invalid message, or could not be opened again; `willReconnect` if another attempt
   * follows.
   */
  lose(error: RpcTransportError, willReconnect: boolean): void
  /** It is open. */
  reopen(): void
}

/** One connection at a time, opened again when it is lost. */
export class ReconnectingSocket {
  readonly #options: WebSocketOptions
  readonly #receiver: Receiver
  readonly #retries: Required<Retries>
  #opening: Promise<WebSocketLike> | undefined
  #socket: WebSocketLike | undefined
  #heartbeat: Heartbeat | undefined
  #failed = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #cancelWait: ((reason: unknown) => void) | undefined
  #isClosed = false

  constructor(options: WebSocketOptions, receiver: Receiver) {
    const { reconnect = {} } = options
    this.#options = options
    this.#receiver = receiver
    this.#retries = { attempts: reconnect ? Number.POSITIVE_INFINITY : 0, baseMs: 200, maxMs: 30_000, ...reconnect }
  }

  /** Resolves with the open connection, which is made if there is none. Rejects if it cannot be made. */
  open(settings: TransportSettings): Promise<WebSocketLike> {
    if (this.#isClosed) return Promise.reject(closedByClient(settings.url))
    return this.#opening ?? this.#keep(this.#connect(settings))
  }

  /** True while a connection is not lost. */
  has(socket: WebSocketLike): boolean {
    return this.#socket === socket
  }

  /** A call that was sent at a time over the connection is given up without a response. */
  doubt(socket: WebSocketLike, callSentAt: number): void {
    if (this.has(socket)) this.#heartbeat?.doubt(callSentAt)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const error = closedByClient(this.#socket?.url ?? '')
    this.#cancelWait?.(error)
    this.#receiver.lose(error, false)
    this.#heartbeat?.stop()
    if (this.#socket) disconnect(this.#socket)
  }

  #connect(settings: TransportSettings): Promise<WebSocketLike> {
    const { heartbeatMs = 20_000, openMs = 30_000, onOpen, onClose } = this.#options
    return new Promise((resolve, reject) => {
      const socket = this.#make(settings)
      let openedAt: number | undefined
      let cause: HiddenReason | undefined
      this.#socket = socket
      socket.binaryType = 'arraybuffer'
      /** Ends the connection, whether or not the platform has noticed: no further message is read. What `onClose` throws comes after that. */
      const lose = (closed: ClosedConnection, wrong?: RpcTransportError) => {
        if (!this.has(socket)) return
        clearTimeout(openTimer)
        const error = wrong ?? errorOf(settings.url, closed, openedAt !== undefined, cause)
        this.#lose(error, openedAt, settings)
        reject(error)
        if (openedAt !== undefined) queueMicrotask(() => onClose?.(closed))
      }
      /** For a peer that does not respond, which would not close the connection either. */
      const drop = (reason: string) => {
        // The code of a connection that ends without being closed.
        lose({ code: 1006, reason })
        if (socket.terminate) socket.terminate()
        else socket.close()
      }
      const openTimer = isLimit(openMs) ? setTimeout(() => drop(`no response within ${openMs} ms`), openMs) : undefined
      socket.addEventListener('open', () => {
        if (this.#isClosed || !this.has(socket)) return
        clearTimeout(openTimer)
        openedAt = performance.now()
        if (isLimit(heartbeatMs)) {
          this.#heartbeat = new Heartbeat(socket, heartbeatMs, () => drop('no response to a heartbeat'))
        }
        resolve(socket)
        this.#receiver.reopen()
        onOpen?.()
      })
      socket.addEventListener('message', ({ data }) => {
        if (!this.has(socket)) return
        this.#heartbeat?.received()
        const wrong = this.#receive(data, socket, settings)
        if (!wrong) return
        lose({ code: 1000, reason: 'an invalid message' }, wrong)
        disconnect(socket)
      })
      socket.addEventListener('error', ({ error }) => {
        cause = error
      })
      socket.addEventListener('close', ({ code, reason }) => lose({ code, reason }))
    })
  }

  #lose(error: RpcTransportError, openedAt: number | undefined, settings: TransportSettings): void {
    const isOpen = openedAt !== undefined
    this.#heartbeat?.stop()
    this.#heartbeat = undefined
    // A server that accepts connections and closes them is not reconnected to at once, whatever it sent.
    if (isOpen && performance.now() - openedAt >= STABLE_MS) this.#failed = 0
    this.#opening = undefined
    this.#socket = undefined
    // Only calls open the first connection; they fail if there is none.
    const willReconnect = (isOpen || this.#failed > 0) && this.#connectLater(settings)
    if (!willReconnect || isOpen) this.#receiver.lose(error, willReconnect)
  }

  /** Connects after a delay, and calls that are made meanwhile wait for it; returns false if it does not try any more. */
  #connectLater(settings: TransportSettings): boolean {
    const { attempts } = this.#retries
    if (this.#isClosed || this.#failed >= attempts) {
      this.#failed = 0
      return false
    }
    const ms = delayOf(this.#failed, this.#retries)
    this.#failed += 1
    const waiting = new Promise<void>((resolve, reject) => {
      this.#cancelWait = reject
      this.#timer = setTimeout(resolve, ms)
    })
    this.#keep(waiting.then(() => this.#connect(settings)))
    return true
  }

  /** Keeps a connection, or the attempt to make one, until it has failed. */
  #keep(opening: Promise<WebSocketLike>): Promise<WebSocketLike> {
    this.#opening = opening
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined
    })
    return opening
  }

  #make(settings: TransportSettings): WebSocketLike {
    const { url } = settings
    const { connect = connectByPlatform } = this.#options
    // A page may have relative URLs; the part before an @ is never shown.
    const base = (globalThis as { readonly location?: { readonly href: string } }).location?.href
    const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined
    if (parsed && base) parsed.protocol = parsed.protocol.replace('http', 'ws')
    if (!parsed || !/^wss?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
      const wrong =
        parsed?.username || parsed?.password
          ? 'has credentials: use the option connect'
          : 'is not a ws(s) URL: write wss://…'
      throw new TypeError(`${JSON.stringify(url.replace(/.*@/s, '@'))} ${wrong}`)
    }
    try {
      return connect(parsed.href)
    } catch (cause) {
      // A token cannot be renewed now: a further attempt follows. The first connection is opened by calls only, which get the error.
      const closed = { code: 1006, reason: '' }
      if (this.#failed > 0) this.#lose(errorOf(url, closed, false, cause as HiddenReason), undefined, settings)
      throw cause
    }
  }

  /** Returns the error of a message that cannot be used, because of which the connection is closed: it may be the response to a call. */
  #receive(
    data: unknown,
    socket: WebSocketLike,
    { url, maxResponseBytes }: TransportSettings,
  ): RpcTransportError | undefined {
    const text = textIn(data)
    if (text === undefined) return new RpcTransportError('a message is not UTF-8', { url })
    if (text.length > maxResponseBytes) {
      return new RpcTransportError(`more than maxResponseBytes (${maxResponseBytes})`, { url })
    }
    const { heartbeatTexts = heartbeats } = this.#options
    if (Object.hasOwn(heartbeatTexts, text)) {
      const reply = heartbeatTexts[text]
      if (typeof reply === 'string' && isReading(socket)) socket.send(reply)
      return undefined
    }
    let message: unknown
    try {
      message = parseJson(text)
    } catch (cause) {
      const reason = `a message is not JSON: ${JSON.stringify(text.slice(0, 200))}`
      return new RpcTransportError(reason, { url, cause })
    }
    const reason = this.#receiver.receive(message, socket, text.length)
    return reason ? new RpcTransportError(reason, { url }) : undefined
  }
}

/** False for 0 and Infinity. A timer of 2 ** 31 milliseconds and more would end at once. */
const isLimit = (ms: number) => ms > 0 && ms < 2e9

/** Returns the text of a message; undefined if its bytes are not valid UTF-8. */
function textIn(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data as ArrayBuffer)
  } catch {
    return undefined
  }
}

/** The package ws has an error with the reason. */
function errorOf(
  url: string,
  { code, reason }: ClosedConnection,
  isOpen: boolean,
  cause?: HiddenReason,
): RpcTransportError {
  const words = isOpen
    ? `was closed: ${code}${reason && ` ${reason}`}`
    : `could not be opened: ${cause?.message || cause?.code || reason || code}: check the server, path, Origin and credentials`
  return new RpcTransportError(`the connection ${words}`, { url, cause })
}

/** False while many responses wait for a server that does not read them. */
export function isReading({ bufferedAmount = 0 }: WebSocketLike): boolean {
  return bufferedAmount <= 1024 * 1024
}

function disconnect(socket: WebSocketLike): void {
  socket.close(1000)
  if (socket.terminate) later(CLOSE_MS, () => socket.terminate?.())
}

function connectByPlatform(url: string): WebSocketLike {
  if (typeof WebSocket === 'undefined') {
    throw new TypeError(
      'this platform has no WebSocket: give webSocket the option connect, (url) => new WebSocket(url) of the package ws',
    )
  }
  return new WebSocket(url)
}

function closedByClient(url: string): RpcTransportError {
  return new RpcTransportError('the connection was closed by close()', { url })
}

/**
 * A connection on which nothing arrives for so many heartbeats is lost. Not one: after a pause of the process a timer may run before what has
 * arrived.
 */
const MAX_MISSED = 2

/** How long a call has to wait in vain before the connection is doubted. */
const DOUBT_MS = 400

/**
 * The heartbeat where the platform cannot ping. Any response to it is a sign of life, also that the method does not exist. No call has
 * its id, which is a number because servers that accept no other one would respond with an error for any of the calls.
 */
const call = `{"jsonrpc":"2.0","method":"${PING}","id":0}`

/** Notices that a connection is dead without being closed: a network that has forgotten it does not close it. */
class Heartbeat {
  readonly #socket: WebSocketLike
  readonly #onDead: () => void
  /** Ends it. */
  readonly stop: () => void
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
    this.stop = repeat(ms, () => {
      if (this.#missed === MAX_MISSED) onDead()
      else this.#send()
      this.#missed += 1
    })
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

  #send(): void {
    this.#sentAt = Math.min(this.#sentAt, performance.now())
    if (this.#socket.ping) this.#socket.ping()
    else this.#socket.send(call)
  }
}

/** The used members of a `WebSocket`: that of the platform, or of the package ws. */
export interface WebSocketLike {
  readonly url?: string
  binaryType: string
  /** Bytes of messages that are not sent yet. */
  readonly bufferedAmount?: number
  /** Sends a message. */
  send(text: string): void
  /** Closes the connection. */
  close(code?: number, reason?: string): void
  /** Adds a listener. */
  // biome-ignore lint/suspicious/noExplicitAny: every platform has other types of events
  addEventListener(type: 'open' | 'message' | 'close' | 'error' | 'pong', listener: (event: any) => void): void
  /** Of ws: destroys a connection that the server does not close too. */
  terminate?(): void
  /** Of ws and Bun. */
  ping?(): void
  /** Of ws. */
  on?(event: 'pong', listener: () => void): unknown
}
