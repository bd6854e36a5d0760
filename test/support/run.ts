import { execFile } from 'node:child_process'

/** How a command ended, and what it wrote: stdout and, when it failed, stderr behind it. */
export interface Finished {
  readonly status: number
  readonly output: string
}

/** Runs a command in a folder. */
export function run(cwd: string, command: string, ...args: string[]): Promise<Finished> {
  return runWith({}, cwd, command, ...args)
}

/** Runs a command with further environment variables. npm's words about our own project, and Vitest's about this run, are not handed down. */
export function runWith(
  variables: Readonly<Record<string, string>>,
  cwd: string,
  command: string,
  ...args: string[]
): Promise<Finished> {
  const ours = /^(npm_(package|lifecycle|config_local_prefix)|NODE_ENV$|VITEST|RPC_GEN_TEST_FOLDER$)/
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name))
  const env = { ...Object.fromEntries(inherited), ...variables }
  const options = { cwd, env, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const status = error ? (typeof error.code === 'number' ? error.code : 1) : 0
      resolve({ status, output: stdout + (status === 0 ? '' : stderr) })
    })
  })
}

/** Runs a command that has to succeed; returns what it wrote to stdout. */
export async function mustRun(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { status, output } = await run(cwd, command, ...args)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${output}`)
  return output
}
