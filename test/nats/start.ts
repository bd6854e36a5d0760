import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transformSync } from 'esbuild'
import type { NatsConnection as CallingConnection } from 'rpc-gen/client/nats'
import type { NatsConnection } from 'rpc-gen/nats'
import { isBuildFresh } from '../../scripts/fresh.mjs'
import { install } from '../support/install.js'
import { lacks } from '../support/skip.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** Why NATS cannot be tested here; undefined when it can. */
export const noNats = lacks('nats-server', '--version') ?? (await install(here))

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
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-nats-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nats.conf'), config)
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-c', join(folder, 'nats.conf')])
  await written(child, 'Server is ready')
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'close')
      rmSync(folder, { recursive: true })
    },
  }
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
  if (!isBuildFresh()) throw new Error('dist/ is missing or older than the sources: run `npm run build` first')
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
    // The project's own configuration takes `rpc-gen` from the sources.
    tsconfigRaw: {},
  })
}

/** A process of the service. */
export interface Process {
  readonly pid: number
  kill(signal: 'SIGKILL' | 'SIGTERM'): void
  /** Resolves to the exit code; null if it was killed. */
  readonly ended: Promise<number | null>
}

/** Starts the program of the page that serves. `log` is the file that `work` writes. */
export function startService(url: string, log: string): Process {
  const env = { ...process.env, NATS_URL: url, WORK_LOG: log }
  const child = spawn(process.execPath, ['nats-service.js'], {
    cwd: programs,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close').then(([code]): number | null => code)
  return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), ended }
}

/** Resolves when a process has written a text to its standard error. */
async function written(child: ChildProcess, text: string): Promise<void> {
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    log += chunk
    if (log.includes(text)) child.emit('written')
  })
  const ended = once(child, 'close').then(() => {
    throw new Error(`nats-server ended:\n${log}`)
  })
  ended.catch(() => {})
  await Promise.race([once(child, 'written'), ended])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
