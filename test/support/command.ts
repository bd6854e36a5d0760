import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from './paths.js'
import type { Finished } from './run.js'

/** The command as it was built. */
export const cli = join(root, 'dist/generator/cli.cjs')

/** How a command ended, and what it wrote where. */
export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** What `run` returns for rpc-gen in a folder. */
export async function runRpcGen(cwd: string, ...args: string[]): Promise<Finished> {
  const { status, stdout, stderr } = await rpcGen(cwd, args)
  return { status, output: stdout + (status === 0 ? '' : stderr) }
}

let host: ChildProcess | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs rpc-gen in a folder, in a process that is kept for the next run: loading the compiler takes most of the time of a run.
 * Commands that a signal ends, and runs with options of Node, need a process of their own.
 */
export function rpcGen(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  // Nothing is cached in CI.
  const env = { ...process.env, NO_COLOR: '1', CI: '', ...variables }
  const ended = last.then(() => send({ cwd, args, env }))
  last = ended.catch(() => {})
  return ended
}

function send(run: object): Promise<Ended> {
  host ??= startHost()
  const started = host
  return new Promise((resolve, reject) => {
    const fail = (status: number | null) => {
      host = undefined
      reject(new Error(`rpc-gen ended the process of all runs with ${status}`))
    }
    started.once('exit', fail)
    started.once('message', (ended: Ended) => {
      started.off('exit', fail)
      resolve(ended)
    })
    started.send(run)
  })
}

function startHost(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'command-host.mjs'), [cli], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // It does not keep the tests running, and ends with them.
  child.unref()
  child.channel?.unref()
  return child
}
