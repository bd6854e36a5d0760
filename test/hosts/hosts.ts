import { install } from '../support/install.js'
import { bunRuntime, denoRuntime, node, type Runtime, workerdRuntime } from './start.js'

/** Why the hosts cannot be installed; undefined when they are. */
export const notInstalled = await install(import.meta.dirname)

/** A program, the command that runs it, and how its host differs. */
export interface Host {
  readonly name: string
  /** A program of docs/guide/hosts, or of test/hosts/programs (`.mjs`). */
  readonly file: string
  readonly runtime: Runtime
  /** Why it cannot be run here. */
  readonly skipReason: string | undefined
  /** Where the endpoint is. */
  readonly path: string
  readonly http2: boolean
  /** True if a body parser reads the body before the endpoint: it rejects what it does not accept, and waits for the end. */
  readonly parses: boolean
  /** What is in `context.env`. */
  readonly env: string
  /** Status and Allow of the response to another method than POST. */
  readonly otherMethods: readonly [status: number, allow: string | undefined]
  /** Checks that are skipped, and why. */
  readonly skips: Readonly<Partial<Record<'Python' | 'jayson' | 'same time' | 'abort' | 'wire cases', string>>>
}

function host(name: string, file: string, differences: Partial<Host> = {}): Host {
  const { runtime = node } = differences
  return { ...usual, name, file, runtime, skipReason: runtime.skipReason ?? notInstalled, ...differences }
}

const usual = {
  path: '/rpc',
  env: 'incoming',
  http2: false,
  parses: false,
  otherMethods: [405, 'GET, HEAD, POST'],
  skips: {},
} as const
// Express and Connect call the next handler, which does not exist.
const passed = { otherMethods: [404, undefined] } as const
const parsed = {
  ...passed,
  parses: true,
  skips: { 'wire cases': 'the parser rejects some of them itself' },
}

/** Every program of docs/guide/hosts, and further ways to mount the server. */
export const hosts: readonly Host[] = [
  host('node:http', 'node.ts'),
  host('node:http with Expect: 100-continue', 'node-continue.ts'),
  host('node:http beside other paths', 'node-paths.ts'),
  host('node:http2 without TLS', 'http2.ts', {
    http2: true,
    skips: { Python: 'its xmlrpc.client has no HTTP/2', jayson: 'it has no HTTP/2' },
  }),
  host('Hono', 'hono.ts'),
  host('Express', 'express.ts', passed),
  host('Express behind express.json() that keeps the bytes', 'express-parsed.ts', parsed),
  host('Express behind express.json()', 'express-parsers.mjs', { path: '/json', ...parsed }),
  host('Express behind express.text()', 'express-parsers.mjs', { path: '/text', ...parsed }),
  host('Express behind express.raw()', 'express-parsers.mjs', { path: '/raw', ...parsed }),
  host('Express, a router at a path', 'express-parsers.mjs', { path: '/api/v1/rpc', ...passed }),
  host('Connect', 'connect.ts', passed),
  host('Fastify', 'fastify.ts'),
  host('Koa', 'koa.ts'),
  host('a route handler of Next.js', 'next.mjs', { env: 'params' }),
  host('Bun', 'bun.ts', { runtime: bunRuntime, env: 'requestIP' }),
  host('Bun with routes', 'bun-routes.ts', { runtime: bunRuntime, env: 'requestIP' }),
  host('Deno', 'deno.ts', { runtime: denoRuntime, env: 'remoteAddr' }),
  host('workerd', 'worker.ts', {
    runtime: workerdRuntime,
    env: 'GREETING',
    skips: { 'same time': 'a request cannot wait for another one', abort: 'it ends the request with the client' },
  }),
]
