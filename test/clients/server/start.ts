import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { app } from './app.js'

export interface Serving {
  /** `http://127.0.0.1:` and a free port. */
  readonly url: string
  stop(): Promise<void>
}

/** Serves the app on a port, in a zone where a date that is taken for a local one shows. */
export async function startServing(): Promise<Serving> {
  process.env['TZ'] = 'Asia/Kathmandu'
  if (new Date(0).getHours() !== 5) throw new Error('the zone of the server could not be set')
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  if (!server.listening) await new Promise<void>((resolve) => void server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
