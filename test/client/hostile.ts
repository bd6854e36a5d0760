import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free port with arbitrary responses; requests are read to their end first. */
export interface Hostile {
  readonly url: string
  /** How many requests have arrived. */
  readonly count: () => number
  stop(): void
}

export async function startHostile(listener: RequestListener): Promise<Hostile> {
  let count = 0
  const server = createServer((request, response) => {
    count++
    request.resume().on('end', () => listener(request, response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/rpc`, count: () => count, stop }
}
