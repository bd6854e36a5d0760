import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cli } from './command.js'

/** A command that runs until it is stopped, `--watch` or `dev`. */
export interface Watching {
  readonly child: ChildProcess
  /** Everything that was written so far, stdout and stderr in order. */
  output(): string
  /** Waits until something was written that matches, behind what was waited for before. */
  until(pattern: RegExp): Promise<string>
  /** Sends a signal; returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts rpc-gen in a folder. */
export function startWatching(folder: string, args: readonly string[]): Watching {
  const env = { ...process.env, NO_COLOR: '1', CI: '', XDG_CACHE_HOME: join(folder, '.cache') }
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env })
  let [output, from] = ['', 0]
  const take = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    output: () => output,
    async until(pattern) {
      for (let i = 0; i < 1500; i += 1) {
        const found = pattern.exec(output.slice(from))
        if (found) {
          from += found.index + found[0].length
          return found[0]
        }
        if (child.exitCode !== null) break
        await wait(20)
      }
      throw new Error(`no ${pattern} in:\n${output.slice(from)}`)
    },
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}
