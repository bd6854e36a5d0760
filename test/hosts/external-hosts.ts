import { install } from '../support/install.js'
import { type Host, host, ownHosts } from './hosts.js'
import { bunRuntime, denoRuntime, workerdRuntime } from './runtimes.js'

/** Why the hosts cannot be installed; undefined when they are. */
export const notInstalled = await install(import.meta.dirname)

// Express, Connect and h3 call the next handler, which does not exist.
const passed = { otherMethods: [404, undefined] } as const
const parsed = {
  ...passed,
  parses: true,
  skips: { 'wire cases': 'the parser rejects some of them itself' },
}

/** The hosts that are packages or runtimes. */
export const externalHosts: readonly Host[] = [
  host('Express', 'express.ts', passed),
  host('Express behind express.json() that keeps the bytes', 'express-parsed.ts', parsed),
  host('Express behind express.json()', 'express-parsers.mjs', { path: '/json', ...parsed }),
  host('Express behind express.text()', 'express-parsers.mjs', { path: '/text', ...parsed }),
  host('Express behind express.raw()', 'express-parsers.mjs', { path: '/raw', ...parsed }),
  host('Express, a router at a path', 'express-parsers.mjs', { path: '/api/v1/rpc', ...passed }),
  host('Connect', 'connect.ts', passed),
  host('Fastify', 'fastify.ts'),
  host('Koa', 'koa.ts'),
  host('h3', 'h3.ts', passed),
  host('a route handler of Next.js', 'next.mjs', { env: 'params' }),
  host('Bun', 'bun.ts', { runtime: bunRuntime, env: 'requestIP' }),
  host('Bun with routes', 'bun-routes.ts', { runtime: bunRuntime, env: 'requestIP' }),
  host('Deno', 'deno.ts', { runtime: denoRuntime, env: 'remoteAddr' }),
  host('workerd', 'worker.ts', {
    runtime: workerdRuntime,
    env: 'GREETING',
    skips: { 'same time': 'a request cannot wait for another one', abort: 'it ends the request with the client' },
  }),
].map((each) => ({ ...each, skipReason: each.skipReason ?? notInstalled }))

/** Every program of docs/guide/hosts, and further ways to mount the server. */
export const hosts: readonly Host[] = [...ownHosts, ...externalHosts]
