import type { RequestListener } from 'node:http'
import { listen } from '../support/listen.js'

/** A server on a free port with arbitrary responses; requests are read to their end first. */
export interface Hostile {
  readonly url: string
  /** How many requests have arrived. */
  readonly count: () => number
  stop(): void
}

export async function startHostile(listener: RequestListener): Promise<Hostile> {
  let count = 0
  const { url, close } = await listen((request, response) => {
    count++
    request.resume().on('end', () => listener(request, response))
  })
  return { url, count: () => count, stop: close }
}
