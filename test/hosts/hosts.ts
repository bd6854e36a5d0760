import { node, type Runtime } from './start.js'

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

export function host(name: string, file: string, differences: Partial<Host> = {}): Host {
  const { runtime = node } = differences
  return { ...usual, name, file, runtime, skipReason: runtime.skipReason, ...differences }
}

const usual = {
  path: '/rpc',
  env: 'incoming',
  http2: false,
  parses: false,
  otherMethods: [405, 'GET, HEAD, POST'],
  skips: {},
} as const
/** The hosts that need no package beyond those of the project. */
export const ownHosts: readonly Host[] = [
  host('node:http', 'node.ts'),
  host('node:http with Expect: 100-continue', 'node-continue.ts'),
  host('node:http beside other paths', 'node-paths.ts'),
  host('node:http2 without TLS', 'http2.ts', {
    http2: true,
    skips: { Python: 'its xmlrpc.client has no HTTP/2', jayson: 'it has no HTTP/2' },
  }),
  host('Hono', 'hono.ts'),
]
