import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type IncomingHttpStatusHeader } from 'node:http2'
import type { Readable } from 'node:stream'

/** The bytes of a request; a body of several parts has no Content-Length. */
export interface Sent {
  readonly method?: string
  /** What follows the path: `?a=1`. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | readonly string[]
  readonly signal?: AbortSignal
  /** The body does not end before the response has arrived. */
  readonly unfinished?: boolean
}

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The port of the client, which identifies the connection. */
  readonly socket: number | undefined
}

/** Sends requests to one URL over as few connections as it can. */
export interface Connection {
  send(sent: Sent): Promise<Received>
  close(): void
}

/** HTTP/1.1: at most `sockets` connections, kept alive. */
export function connectHttp1(url: string, sockets = 1): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  return {
    close: () => agent.destroy(),
    async send({ method = 'POST', query = '', headers = {}, body = '', signal, unfinished }) {
      const parts = partsOf(body)
      const length = parts.length > 1 || method !== 'POST' ? {} : { 'Content-Length': String(parts[0]?.length) }
      const options = { method, agent, headers: { ...length, ...headers }, ...(signal && { signal }) }
      const { response, socket } = await new Promise<{ response: IncomingMessage; socket: number | undefined }>(
        (resolve, reject) => {
          const outgoing = request(url + query, options)
          outgoing.once('error', reject)
          outgoing.once('response', (response) => resolve({ response, socket: outgoing.socket?.localPort }))
          for (const part of parts) outgoing.write(part)
          if (!unfinished) outgoing.end()
        },
      )
      const text = await textOf(response)
      if (unfinished) response.destroy()
      return { status: response.statusCode ?? 0, headers: response.headers, body: text, socket }
    },
  }
}

/** HTTP/2 without TLS. */
export function connectHttp2(url: string): Connection {
  const { origin, pathname } = new URL(url)
  const session = connect(origin)
  session.on('error', () => {})
  return {
    close: () => session.destroy(),
    async send({ method = 'POST', query = '', headers = {}, body = '', signal, unfinished }) {
      const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      const options = { endStream: method !== 'POST', ...(signal && { signal }) }
      const stream = session.request(
        { ':method': method, ':path': pathname + query, ...Object.fromEntries(named) },
        options,
      )
      const chunks: Buffer[] = []
      // What is not read is dropped when the server closes the stream.
      stream.on('data', (chunk) => chunks.push(chunk))
      const { ':status': status = 0, ...received } = await new Promise<IncomingHttpHeaders & IncomingHttpStatusHeader>(
        (resolve, reject) => {
          let head: IncomingHttpHeaders & IncomingHttpStatusHeader = {}
          stream.once('error', reject)
          stream.once('response', (headers) => {
            head = headers
          })
          stream.once('end', () => resolve(head))
          if (method === 'POST') for (const part of partsOf(body)) stream.write(part)
          if (!unfinished) stream.end()
        },
      )
      if (unfinished) stream.close()
      const text = Buffer.concat(chunks).toString()
      return { status, headers: received, body: text, socket: session.socket.localPort }
    },
  }
}

function partsOf(body: string | Uint8Array | readonly string[]): Uint8Array[] {
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  return parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
