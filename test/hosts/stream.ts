import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:http2'
import type { Readable } from 'node:stream'

/** A response that is read piece by piece. */
export interface OpenResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Reads until the text contains another one; returns all that was read. */
  until(text: string): Promise<string>
  /** Reads to the end. */
  rest(): Promise<string>
  /** Disconnects. */
  leave(): void
}

/** Posts a JSON-RPC call that accepts a stream; nothing of the response is read but its head. */
export async function openStream(
  url: string,
  http2: boolean,
  method: string,
  params: readonly unknown[],
  more: Readonly<Record<string, string>> = {},
): Promise<OpenResponse> {
  const body = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more }
  return http2 ? openHttp2(url, headers, body) : openHttp1(url, headers, body)
}

function openHttp1(url: string, headers: IncomingHttpHeaders, body: string): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers: { ...headers, 'content-length': `${body.length}` } })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const leave = () => void outgoing.destroy()
      resolve(reading(response, response.statusCode ?? 0, response.headers, leave))
    })
    outgoing.end(body)
  })
}

function openHttp2(url: string, headers: IncomingHttpHeaders, body: string): Promise<OpenResponse> {
  const { origin, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const session = connect(origin)
    session.once('error', reject)
    const stream = session.request({ ':method': 'POST', ':path': pathname, ...headers })
    stream.once('error', reject)
    stream.once('response', ({ ':status': status = 0, ...received }) => {
      resolve(reading(stream, status, received, () => session.destroy()))
    })
    stream.end(body)
  })
}

function reading(stream: Readable, status: number, headers: IncomingHttpHeaders, leave: () => void): OpenResponse {
  stream.on('error', () => {})
  stream.pause()
  let text = ''
  const read = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      const chunk: Buffer | null = stream.read()
      if (chunk) text += chunk.toString()
      else if (stream.readableEnded || stream.destroyed) break
      else
        await new Promise<void>((resolve) => {
          const wake = () => {
            for (const event of ['readable', 'end', 'close']) stream.off(event, wake)
            resolve()
          }
          for (const event of ['readable', 'end', 'close']) stream.once(event, wake)
        })
    }
    return text
  }
  return {
    status,
    headers,
    leave,
    until: (part) => read(() => text.includes(part)),
    async rest() {
      const all = await read(() => false)
      leave()
      return all
    },
  }
}
