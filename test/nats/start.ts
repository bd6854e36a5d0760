import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build, transformSync } from 'esbuild'
import type { NatsConnection as CallingConnection } from 'rpc-gen/client/nats'
import type { NatsConnection } from 'rpc-gen/nats'
import { install } from '../support/install.js'
import { root } from '../support/paths.js'
import { freePort, type Started, startProcess } from '../support/process.js'
import { requireBuild } from '../support/project.js'
import { missingCommand } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const here = import.meta.dirname

/** Why NATS cannot be tested here; undefined when it can. */
export const noNats = missingCommand('nats-server', '--version') ?? (await install(here))

/** A connection of transport-node, which is not installed where the types are checked. */
export interface Connection extends NatsConnection, CallingConnection<object> {
  readonly info?: { readonly max_payload: number }
  publish(subject: string, payload: string): void
  close(): Promise<void>
}

const load = createRequire(join(here, 'package.json'))

export async function connect(url: string, options: object = {}): Promise<Connection> {
  return load('@nats-io/transport-node').connect({ servers: url, ...options })
}

export function createHeaders(): { append(name: string, value: string): void } {
  return load('@nats-io/nats-core').headers()
}

/** The client of the official package for services. */
export function discover(connection: Connection): Discovery {
  const { Svcm } = load('@nats-io/services')
  return new Svcm(connection).client()
}

interface Discovery {
  ping(name?: string): Promise<AsyncIterable<Readonly<Record<string, unknown>>>>
  info(name?: string, id?: string): Promise<AsyncIterable<Readonly<Record<string, unknown>>>>
  stats(name?: string, id?: string): Promise<AsyncIterable<Readonly<Record<string, unknown>>>>
}

/** Starts a NATS server on a free port of 127.0.0.1; `config` is the text of its configuration. */
export async function startNats(config = ''): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const file = join(temporaryFolder('nats'), 'nats.conf')
  writeFileSync(file, config)
  const port = await freePort()
  const { stop } = await startProcess(['nats-server', '-a', '127.0.0.1', '-p', `${port}`, '-c', file], {
    isReady: (log) => log.includes('Server is ready'),
  })
  return { url: `nats://127.0.0.1:${port}`, stop }
}

/** The programs of docs/guide/nats.md, by their file. */
export const shown = new Map(
  [
    ...readFileSync(join(root, 'docs/guide/nats.md'), 'utf8').matchAll(
      /^```ts\n\/\/ file: src\/(\S+)\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, file = '', text = '']) => [file, text]),
)

export const programs = join(here, 'dist')

/** Writes the programs of the page in TypeScript and JavaScript, beside the server that they serve; `rpc-gen` there is dist/. */
export async function writePrograms(): Promise<void> {
  requireBuild()
  rmSync(programs, { recursive: true, force: true })
  mkdirSync(join(programs, 'node_modules'), { recursive: true })
  symlinkSync(root, join(programs, 'node_modules/rpc-gen'))
  for (const [file, text] of shown) {
    writeFileSync(join(programs, file), text)
    writeFileSync(join(programs, file.replace(/ts$/, 'js')), transformSync(text, { loader: 'ts' }).code)
  }
  await build({
    entryPoints: [join(here, 'server.ts')],
    outdir: programs,
    bundle: true,
    packages: 'external',
    format: 'esm',
    // The project's configuration resolves `rpc-gen` to the sources.
    tsconfigRaw: {},
  })
}

/** Starts the program of the page that serves. `log` is the file that `work` writes. */
export function startService(url: string, log: string): Promise<Started> {
  const env = { ...process.env, NATS_URL: url, WORK_LOG: log }
  return startProcess([process.execPath, 'nats-service.js'], { cwd: programs, env })
}
