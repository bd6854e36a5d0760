import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// HTTP/2 (RFC 9113) frame by frame: the client of node:http2 ends a body before it cancels the request.

const frameType = { data: 0, headers: 1, rstStream: 3, settings: 4 } as const
const END_STREAM = 1
const END_HEADERS = 4
const ACK = 1

type FrameType = (typeof frameType)[keyof typeof frameType]

/** A connection without TLS. Requests have odd numbers from 1. */
export class Http2Connection {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #next = 1
  /** By the number of the request, what its end resolves, and its body. */
  readonly #waiting = new Map<number, { readonly resolve: (body: string) => void; body: string }>()

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => {}).on('data', (chunk) => this.#read(chunk))
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    this.#write(frameType.settings, 0, 0)
  }

  static async open(port: number): Promise<Http2Connection> {
    // Small writes are sent at once.
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Http2Connection(socket)
  }

  /** Sends the headers and a part of a body, and does not end it. Returns a function that cancels the request. */
  begin(headers: Readonly<Record<string, string>>, body: string): (code: number) => void {
    const id = this.#sendHeaders(headers)
    if (body !== '') this.#write(frameType.data, 0, id, Buffer.from(body))
    return (code) => {
      const payload = Buffer.alloc(4)
      payload.writeUInt32BE(code)
      this.#write(frameType.rstStream, 0, id, payload)
    }
  }

  /** Sends a request and returns the body of its response. */
  request(headers: Readonly<Record<string, string>>, body: string): Promise<string> {
    const id = this.#sendHeaders(headers)
    const response = new Promise<string>((resolve) => void this.#waiting.set(id, { resolve, body: '' }))
    this.#write(frameType.data, END_STREAM, id, Buffer.from(body))
    return response
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #sendHeaders(headers: Readonly<Record<string, string>>): number {
    const id = this.#next
    this.#next += 2
    this.#write(frameType.headers, END_HEADERS, id, encodeHeaders(headers))
    return id
  }

  #write(type: FrameType, flags: number, id: number, payload: Uint8Array = new Uint8Array()): void {
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head[3] = type
    head[4] = flags
    head.writeUInt32BE(id, 5)
    this.#socket.write(Buffer.concat([head, payload]))
  }

  #read(chunk: Uint8Array): void {
    this.#received = Buffer.concat([this.#received, chunk])
    while (this.#received.length >= 9) {
      const end = 9 + this.#received.readUIntBE(0, 3)
      if (this.#received.length < end) return
      const [type, flags = 0] = this.#received.subarray(3, 5)
      const payload = this.#received.subarray(9, end)
      if (type === frameType.settings && !(flags & ACK)) this.#write(frameType.settings, ACK, 0)
      this.#receive(this.#received.readUInt32BE(5), type === frameType.data ? payload.toString() : '', flags)
      this.#received = this.#received.subarray(end)
    }
  }

  #receive(id: number, text: string, flags: number): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    waiting.body += text
    if (flags & END_STREAM) waiting.resolve(waiting.body)
  }
}

/** Literal fields without indexing (RFC 7541 section 6.2.2); names and values are short. */
function encodeHeaders(headers: Readonly<Record<string, string>>): Buffer {
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ])
  return Buffer.concat(fields)
}
