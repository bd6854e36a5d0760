import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { type ClientOptions, createClient, type Fetch } from 'rpc-gen/client'
import { afterAll, beforeAll, describe } from 'vitest'
import { type JsonParams, type JsonProcedures, procedures } from '../../fixtures/wire/procedures.gen.js'
import { type EntryPoint, entryPoints } from '../support/listen.js'

const server = new RpcServer({ procedures, onError: () => {} })

/** The wire fixtures' procedures at `/rpc`, behind a Hono app and no port. */
export const app = new Hono().all('/rpc', server.asyncView)
export const url = 'http://localhost/rpc'

let entryPoint: EntryPoint | undefined

/** Runs tests over every entry point of HTTP: there `connect` and `listen` call it, elsewhere the app. */
export function overEveryEntryPoint(name: string, tests: () => void): void {
  describe.each(Object.entries(entryPoints))(`${name}, over %s`, (_, open) => {
    beforeAll(async () => {
      entryPoint = await open(server)
    })
    afterAll(() => {
      entryPoint?.close()
      entryPoint = undefined
    })
    tests()
  })
}

const handle: Fetch = (input, init) => entryPoint?.request(init) ?? app.request(input, init)

/** The bodies of requests and responses on the wire. */
export interface Traffic {
  readonly requests: string[]
  readonly responses: string[]
}

/** A `fetch` that calls the server and records requests and responses. */
export function record(traffic: Traffic, fetch: Fetch = handle): Fetch {
  return async (input, init) => {
    traffic.requests.push(`${init.body}`)
    const response = await fetch(input, init)
    traffic.responses.push(await response.clone().text())
    return response
  }
}

/** A client of the server, and what it sends and receives. */
export function connect(options: ClientOptions = {}) {
  const traffic: Traffic = { requests: [], responses: [] }
  return {
    traffic,
    client: createClient<JsonProcedures, JsonParams>(url, { fetch: record(traffic), ...options }),
  }
}

/** A client whose server responds with the result of a function. */
export function connectTo(respond: Fetch, options: ClientOptions = {}) {
  return createClient<JsonProcedures, JsonParams>(url, { fetch: respond, ...options })
}

/** A response of JSON, or of a text that may not be JSON. */
export function responseOf(body: unknown, init: ResponseInit = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Response(text, { headers: { 'Content-Type': 'application/json' }, ...init })
}

/** What a promise rejects with. */
export function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    (value) => Promise.reject(new Error(`resolved with ${JSON.stringify(value)}`)),
    (error) => error,
  )
}

/** How many timers of this process have not ended: those of the test runner too. */
export function timerCount(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}
