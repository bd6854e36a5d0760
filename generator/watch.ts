import type { Command } from './arguments.js'
import type { Cache } from './cache/fresh.js'
import { createFolders, foldersOf } from './watch-folders.js'
import { createRunner, type Runner } from './watch-run.js'

/** Editors write in several steps: events within this time, in milliseconds, are one. */
const together = 15

/** Runs on every change until the process is told to stop; throws UsageError where the first run does. */
export async function watch(command: Command, cache: Cache | undefined): Promise<0> {
  const runner = createRunner(command, cache)
  await runner.run()
  await untilStopped(runner)
  return 0
}

function untilStopped(runner: Runner): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let [busy, stopped] = [false, false]
    const folders = createFolders(() => {
      clearTimeout(timer)
      if (!stopped) timer = setTimeout(() => void settle().catch(fail), together)
    })
    const settle = async (): Promise<void> => {
      if (busy) return
      busy = true
      // What changed while a run was on is seen after it.
      while (!stopped && !runner.isHeld()) {
        await runner.run()
        if (!stopped) folders.watch(foldersOf(runner.seen()))
      }
      busy = false
    }
    const end = (): void => {
      stopped = true
      clearTimeout(timer)
      folders.close()
      process.off('SIGINT', end).off('SIGTERM', end)
      resolve()
    }
    const fail = (error: unknown): void => {
      end()
      reject(error)
    }
    process.on('SIGINT', end).on('SIGTERM', end)
    folders.watch(foldersOf(runner.seen()))
    settle().catch(fail)
  })
}
