import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process that a test started. */
export interface Started {
  readonly pid: number
  /** What it wrote so far to stdout and stderr. */
  log(): string
  /** Resolves to the exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal, to the whole group of a detached process. */
  kill(signal: NodeJS.Signals): void
  /** Kills it and waits for its end. */
  stop(): Promise<void>
}

export interface StartOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'detached' | 'uid' | 'gid'> {
  /** True when the process can be used, by its log. Default: at once. */
  readonly isReady?: (log: string) => boolean | Promise<boolean>
}

/** Starts a command and waits until it can be used. Rejects with its log if it ends before. */
export async function startProcess(
  [name = '', ...args]: readonly string[],
  { isReady = () => true, ...options }: StartOptions = {},
): Promise<Started> {
  const child = spawn(name, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text))
  const ended = once(child, 'close').then(([code]): number | null => code)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const pid = child.pid ?? 0
  const kill = (signal: NodeJS.Signals): void => {
    if (!hasEnded()) process.kill(options.detached ? -pid : pid, signal)
  }
  while (!(await isReady(log))) {
    if (hasEnded()) throw new Error(`${name} ${args.join(' ')} ended with ${await ended}:\n${log}`)
    await sleep(20)
  }
  const stop = async () => {
    kill('SIGKILL')
    await ended
  }
  return { pid, log: () => log, ended, kill, stop }
}

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** True if something accepts connections at a port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined))
    socket.once('error', () => resolve(false))
  })
}
