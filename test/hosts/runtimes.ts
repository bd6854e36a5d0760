import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bun, deno, esbuild, missingProgram, workerd } from '../support/programs.js'
import { mustRun } from '../support/run.js'
import type { Runtime } from './start.js'

// The runtimes beside Node.

export const bunRuntime: Runtime = { skipReason: missingProgram(bun), command: (program) => [bun ?? '', program] }

export const denoRuntime: Runtime = {
  skipReason: missingProgram(deno),
  command: (program) => [deno ?? '', 'run', '--no-remote', '--allow-net', '--allow-env', '--allow-read', program],
}

/** A worker is bundled first, as its own tools do. */
export const workerdRuntime: Runtime = {
  skipReason: missingProgram(workerd && esbuild),
  async command(program, port) {
    const folder = join(dirname(program), 'workerd')
    mkdirSync(folder, { recursive: true })
    const flags = ['--bundle', '--format=esm', '--conditions=workerd', '--log-level=error']
    await mustRun(import.meta.dirname, esbuild ?? '', program, ...flags, `--outfile=${join(folder, 'worker.js')}`)
    const config = join(folder, 'config.capnp')
    copyFileSync(join(import.meta.dirname, 'config.capnp'), config)
    return [workerd ?? '', 'serve', `--socket-addr=http=127.0.0.1:${port}`, config]
  },
}
