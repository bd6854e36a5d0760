import type { RequestListener } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import type { RpcServerOptions } from 'rpc-gen'
import { expect, onTestFinished } from 'vitest'
import { listen } from '../support/listen.js'
import { appOf } from '../support/requests.js'

// For the tests of bodies that something reads before the endpoint.

/** Serves Hono's app behind a listener on a free port. */
export async function serve(listener: RequestListener): Promise<string> {
  const { url, close } = await listen(listener)
  onTestFinished(close)
  return url
}

/** What `onError` got in the test that runs. */
export const errors: unknown[] = []

export function rpcApp(options: RpcServerOptions = {}, ...middleware: MiddlewareHandler[]): Hono {
  errors.length = 0
  const app = new Hono()
  for (const each of middleware) app.use(each)
  return app.route('/', appOf({ onError: (error) => void errors.push(error), ...options }))
}

export interface Traffic {
  readonly status: number
  readonly text: string
}

export async function send(
  url: string,
  type: string,
  body: string | Uint8Array,
  more: Record<string, string> = {},
): Promise<Traffic> {
  const init = { method: 'POST', headers: { 'Content-Type': type, ...more }, body: body as BodyInit }
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}

/** The same body in chunks, without a length. */
export async function sendChunked(url: string, type: string, body: string): Promise<Traffic> {
  const stream = new Blob([body]).stream()
  const init = { method: 'POST', headers: { 'Content-Type': type }, body: stream, duplex: 'half' }
  const response = await fetch(url, init as RequestInit)
  return { status: response.status, text: await response.text() }
}

export const ok = (text: string): Traffic => ({ status: 200, text })
export const unusable: Traffic = { status: 500, text: 'Internal error.' }

export function expectExplained(): void {
  expect(errors).toEqual([
    expect.objectContaining({
      name: 'BodyConsumedError',
      message: expect.stringMatching(/was read by middleware.*mount the endpoint before.*req\.rawBody/),
    }),
  ])
}
