// Runs a command from its arguments to its exit status. Modules that only some commands need are loaded on demand:
//
//   main(['src/api', '--check'])  →  1 if src/rpc.gen.ts is stale
import { existsSync, readFileSync } from 'node:fs'
import { type Cache, cacheOf, type Manifest } from '../build/cache/fresh.js'
import type { Memories } from '../build/cache/memory.js'
import { observedBy, ownFiles, store, versionOf } from '../build/cache/store.js'
import type { GeneratedFile } from '../build/generated.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import { jsonText, type Line } from '../diagnostics/printable.js'
import { createDisk, type Disk } from '../disk/disk.js'
import { servedModel } from '../model/model.js'
import { type Command, parseArguments, usage } from './arguments.js'
import { exitOnOutputError } from './output-error.js'
import { doneLine, print, printDone, printUsageError, relativePath, report } from './report.js'
import { recordSources } from './source-record.js'
import { startersOf } from './starters.js'
import type { BuiltTarget, CommandResult } from './targets.js'

/** 0: success; 1: errors in the sources, or a stale file under --check; 2: wrong usage. */
type ExitStatus = 0 | 1 | 2

/** Runs the command that the arguments specify. */
export async function main(argv: readonly string[]): Promise<ExitStatus> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', exitOnOutputError)
  try {
    if (argv[0] === 'diff') return await diff(argv.slice(1))
    if (argv[0] === 'init') return await initialize(argv.slice(1))
    if (argv[0] === 'dev') return await develop(argv.slice(1))
    const command = parseArguments(argv)
    if (command.help) return printAndSucceed(usage)
    if (command.version) return printAndSucceed(`${ownVersion()}\n`)
    return await run(command, argv)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    printUsageError(error.message)
    return 2
  }
}

/** Writes the smallest set-up into the working directory. */
async function initialize(argv: readonly string[]): Promise<ExitStatus> {
  if (argv[0] === '--help' || argv[0] === '-h') return printAndSucceed(usage)
  const { init } = await import('./init.js')
  init(process.cwd(), argv)
  return 0
}

/** Generates, starts a command, and does both again after every change. */
async function develop(argv: readonly string[]): Promise<ExitStatus> {
  // The process that started this one can end while the generator is loaded.
  const starters = startersOf()
  const { dev } = await import('./dev.js')
  return dev(argv, starters)
}

/** Compares an older version of the API with the sources, or with another file. */
async function diff(argv: readonly string[]): Promise<ExitStatus> {
  const { diffCommand } = await import('./diff.js')
  return diffCommand(argv, async (paths, { config, target, ...flags }) => {
    const { needsOneTarget, compileTargets, targetsOf } = await import('./targets.js')
    const command: Command = {
      options: { paths, ...flags },
      config,
      target: target === undefined ? undefined : [target],
    }
    const disk = createDisk()
    const found = await targetsOf(command, disk)
    if (found.length > 1) throw needsOneTarget(found, 'one target is compared')
    const result = await compileTargets(found, disk)
    const [built] = result.targets
    if (built && result.diagnostics.length === 0)
      return { description: servedModel(built.model), lock: built.options.lock }
    report(result.diagnostics, command)
    return undefined
  })
}

async function run(command: Command, argv: readonly string[]): Promise<ExitStatus> {
  if (command.watch) {
    const starters = startersOf()
    const { watch } = await import('./watch.js')
    return watch(command, starters)
  }
  // --check and --model do not rely on the cache.
  const cache = command.check || command.model ? undefined : cacheOf(process.cwd(), argv)
  return cache ? runCached(command, cache) : runOnce(command, createDisk())
}

/** Runs with what an earlier run of the command has stored, and stores it for the next one. */
async function runCached(command: Command, cache: Cache): Promise<ExitStatus> {
  const at = Date.now()
  const own = ownFiles()
  // Another version of rpc-gen may find other parts, and print other texts.
  const ofVersion = { ...cache, key: `${cache.key} ${versionOf(own)}` }
  const { createMemories } = await import('../build/cache/memory.js')
  const disk = createDisk()
  const memories = createMemories(ofVersion)
  return runOnce(command, disk, memories, (result, line) => {
    memories.store(ofVersion)
    const { files, ...observed } = observedBy(at, disk.seen, result.files)
    store(cache, 'manifest', { ...observed, files: [...files, ...own], line } satisfies Manifest)
  })
}

/** Compiles, and prints or writes the result. `done` is called after the outputs were written. */
async function runOnce(
  command: Command,
  disk: Disk,
  memories?: Memories,
  done?: (result: CommandResult, line: string) => void,
): Promise<ExitStatus> {
  // Loaded late: the compiler takes half of the time of a small run.
  const { compileCommand } = await import('./targets.js')
  const result = await compileCommand(command, disk, memories)
  if (result.diagnostics.length > 0) return report(result.diagnostics, command)
  if (command.model) return printAndSucceed(`${jsonText(modelOf(result.targets), 2)}\n`)
  const { isCurrent, writeFiles } = await import('../build/write.js')
  if (command.check) {
    const stale = result.targets.flatMap((target) => {
      return target.files.filter((file) => !isCurrent(file)).map((file) => staleLines(file, target))
    })
    const lines = (await Promise.all(stale)).flat()
    print('stderr', lines)
    return lines.length > 0 ? 1 : 0
  }
  const changed = writeFiles(result.files)
  recordSources(result.targets, disk, command)
  const line = doneLine(result.targets)
  printDone(line, changed.length === 0, command)
  done?.(result, line)
  return 0
}

/** The model of one target; for several targets an object of models by target name. */
function modelOf(targets: readonly BuiltTarget[]): unknown {
  const [only, ...more] = targets
  return more.length === 0 ? only?.model : Object.fromEntries(targets.map(({ name = '', model }) => [name, model]))
}

/** Returns the report of a stale output: for a lock the changes of the contract, and no lines if only its bytes differ. */
async function staleLines({ path }: GeneratedFile, { model, options }: BuiltTarget): Promise<Line[]> {
  const name = relativePath(path)
  if (path !== options.lock) return [`${name} is stale: run rpc-gen`]
  const { staleLock } = await import('../diff/lock.js')
  const held = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  return staleLock(held, servedModel(model), name)
}

function printAndSucceed(text: string): ExitStatus {
  process.stdout.write(text)
  return 0
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return version
}
