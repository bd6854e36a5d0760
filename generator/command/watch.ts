// Runs again when something has changed that the last run read or wrote. Parts, parsed sources and texts are kept in memory:
//
//   src/api/orders.ts is saved  →  orders.ts is analysed again, src/rpc.gen.ts is written
import { type FSWatcher, watch as watchFolder } from 'node:fs'
import { dirname } from 'node:path'
import { type Observed, revalidate } from '../build/cache/fresh.js'
import { createMemories } from '../build/cache/memory.js'
import { observedBy } from '../build/cache/store.js'
import type { GeneratedFile } from '../build/generated.js'
import { writeFiles } from '../build/write.js'
import { type Diagnostic, UsageError } from '../diagnostics/diagnostic.js'
import { createDisk, firstAbsent, realpathAt, type Seen } from '../disk/disk.js'
import { isLink, statAt } from '../disk/stamps.js'
import type { Command } from './arguments.js'
import { doneLine, printDone, printUsageError, report } from './report.js'
import { recordSources } from './source-record.js'
import { startersOf } from './starters.js'
import { type CommandResult, compileCommand } from './targets.js'

/** Editors write in several steps: events within this time, in milliseconds, are one. */
const debounceMs = 15

/**
 * Generates on every change until a signal ends the process, or the end of one of those that `startersOf` returned. Throws UsageError
 * if the first run does.
 */
export async function watch(command: Command, starters: string): Promise<0> {
  await runUntilStopped(createRunner(command, printReports(command)), command, starters)
  return 0
}

/** The signals that end a watching command: all that would end the process without its handlers, and are sent on purpose. */
export const endingSignals: readonly NodeJS.Signals[] =
  process.platform === 'win32'
    ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']
    : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2']

/** In this interval, in milliseconds, a watching command looks whether the processes that started it have ended. */
const starterIntervalMs = 250

/**
 * Runs, and runs again on every change, until the process receives one of `endingSignals`, or one of its starters has ended. Rejects
 * with what a run throws.
 */
export async function runUntilStopped(runner: Runner, watching: Watching, starters: string): Promise<void> {
  let loop: { close(): void } | undefined
  const { promise: stopped, resolve: end } = createResolvable()
  for (const signal of endingSignals) process.on(signal, end)
  const orphaned = setInterval(() => {
    if (startersOf() !== starters) end()
  }, starterIntervalMs)
  try {
    const first = await Promise.race([runner.run(), stopped.then(() => 'stopped')])
    if (first === 'stopped') return
    await new Promise<void>((resolve, reject) => {
      loop = runOnChange(runner, reject, watching)
      void stopped.then(resolve)
    })
  } finally {
    loop?.close()
    clearInterval(orphaned)
    for (const signal of endingSignals) process.off(signal, end)
  }
}

/** How changes are noticed. */
interface Watching {
  /** True to look for them at an interval: network drives and mounted folders of a container or a virtual machine report none. */
  readonly poll?: boolean | undefined
}

/** Runs that follow changes. */
export interface Loop {
  /** Checks whether anything has changed, for a caller that may have noticed it earlier. */
  notice(): void
  /** Resolves when no change is left that was noticed before: at once if there is none. */
  settled(): Promise<void>
  close(): void
}

/** Runs on every change of what the last run has read, until it is closed or a run throws: `fail` gets the error then. */
export function runOnChange(runner: Runner, fail: (error: unknown) => void, { poll }: Watching = {}): Loop {
  let timer: NodeJS.Timeout | undefined
  let [isBusy, isClosed] = [false, false]
  let unsettled: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined
  const notice = (): void => {
    if (isClosed) return
    unsettled ??= createResolvable()
    clearTimeout(timer)
    timer = setTimeout(start, debounceMs)
  }
  const folders = poll ? pollFolders(notice) : createFolders(notice)
  const start = (): void => void settle().catch(stop)
  const settle = async (): Promise<void> => {
    timer = undefined
    if (isBusy) return
    isBusy = true
    do {
      while (!isClosed && !runner.isUpToDate()) await runner.run()
      if (!isClosed) folders.watch(foldersOf(runner.seen()))
      // What has changed before its folder was watched is noticed here.
    } while (!isClosed && !runner.isUpToDate())
    isBusy = false
    if (timer === undefined) rest()
  }
  const rest = (): void => {
    unsettled?.resolve()
    unsettled = undefined
  }
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
    folders.close()
    rest()
  }
  const stop = (error: unknown): void => {
    close()
    fail(error)
  }
  start()
  return { close, notice, settled: async () => unsettled?.promise }
}

function createResolvable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Runs a command repeatedly, each time with the state of the earlier runs. */
export interface Runner {
  /** Writes the outputs that have changed and reports the run. Throws UsageError in the first run only. */
  run(): Promise<void>
  /** True if nothing has changed that the last run read and wrote. */
  isUpToDate(): boolean
  /** What the last run read. */
  seen(): Seen
}

/** Receives the reports of runs. */
interface Reporter {
  /** Errors in the sources: nothing was written. */
  diagnostics(found: readonly Diagnostic[], targets: CommandResult['targets']): void
  /** The command cannot be run any more, for instance because the configuration has an error. */
  usageError(message: string): void
  /** `changed` are the files that were written; `since` is when the run began, by `performance.now()`. */
  done(targets: CommandResult['targets'], changed: readonly GeneratedFile[], since: number): void
}

/** Prints reports as a single run does. */
export function printReports(command: Command): Reporter {
  return {
    diagnostics: (found) => void report(found, command),
    usageError: printUsageError,
    done: (targets, changed, since) => printDone(doneLine(targets), changed.length === 0, command, since),
  }
}

/** Returns the runner of a command. It keeps its state in memory and does not use the cache. */
export function createRunner(command: Command, reporter: Reporter): Runner {
  const memories = createMemories()
  let written: readonly GeneratedFile[] = []
  let disk = createDisk()
  let observed: Observed | undefined

  const generate = async (since: number): Promise<readonly GeneratedFile[]> => {
    const result = await compileCommand(command, disk, memories)
    if (result.diagnostics.length > 0) {
      reporter.diagnostics(result.diagnostics, result.targets)
      return []
    }
    const changed = writeFiles(result.files, written)
    recordSources(result.targets, disk, command)
    written = result.files
    reporter.done(result.targets, changed, since)
    return result.files
  }
  return {
    async run() {
      const first = observed === undefined
      const since = first ? 0 : performance.now()
      const at = Date.now()
      disk = createDisk(disk.seen)
      const outputs = await generate(since).catch((error: unknown) => {
        if (first || !(error instanceof UsageError)) throw error
        reporter.usageError(error.message)
        return []
      })
      observed = observedBy(at, disk.seen, outputs)
    },
    isUpToDate() {
      const valid = observed && revalidate(observed)
      if (valid) observed = valid
      return valid !== undefined
    },
    seen: () => disk.seen,
  }
}

/** With `--poll`, and if the system cannot provide more watchers, files are polled at this interval, in milliseconds. */
const pollIntervalMs = 500

/** Returns the folders in which a change can affect the run, those of symbolic links and of what a link to a source leads to among them. */
function foldersOf({ files, present, absent, folders }: Seen): ReadonlySet<string> {
  const links = [...files.keys()].filter((path) => !path.includes('/node_modules/') && isLink(path))
  const paths = [...files.keys(), ...present, ...[...absent].map(firstAbsent), ...links.map(realpathAt)]
  const found = new Set([...paths.map(dirname), ...folders.keys()])
  // It grows while it is iterated.
  for (const folder of found) if (isLink(folder)) found.add(dirname(folder))
  return found
}

/** Folders that are watched for any change of their content. */
interface Folders {
  /** Watches exactly these folders. */
  watch(paths: ReadonlySet<string>): void
  close(): void
}

/** Watches nothing: `onChange` compares all files with their state at the last run. */
function pollFolders(onChange: () => void): Folders {
  const timer = setInterval(onChange, pollIntervalMs)
  return { watch: () => {}, close: () => clearInterval(timer) }
}

/** What differs if another folder has taken the place of this one. */
function identityOf(path: string): string {
  const { dev, ino, birthtimeMs } = statAt(path) ?? {}
  return `${dev} ${ino} ${birthtimeMs}`
}

function createFolders(onChange: () => void): Folders {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly id: string }>()
  let poll: NodeJS.Timeout | undefined
  const drop = (path: string): void => {
    watchers.get(path)?.watcher.close()
    watchers.delete(path)
  }
  const add = (path: string): void => {
    try {
      const id = identityOf(path)
      const watcher = watchFolder(path, onChange)
      watcher.on('error', () => {
        drop(path)
        onChange()
      })
      watchers.set(path, { watcher, id })
    } catch (error) {
      // The creation of an absent folder is noticed in the folder above it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') poll ??= setInterval(onChange, pollIntervalMs)
    }
  }
  return {
    watch(paths) {
      // A folder that takes the place of another one has no watcher.
      for (const [path, { id }] of watchers) if (!paths.has(path) || identityOf(path) !== id) drop(path)
      for (const path of paths) if (!watchers.has(path)) add(path)
    },
    close() {
      clearInterval(poll)
      for (const path of [...watchers.keys()]) drop(path)
    },
  }
}
