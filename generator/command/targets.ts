// Compiles the targets of a command, one after the other, without writing:
//
//   rpc-gen src, and a configuration with two targets  →  the files of both, or the diagnostics
import { resolve } from 'node:path'
import { build } from '../build/build.js'
import { createDocuments, createMemory, type Memories, type Memory } from '../build/cache/memory.js'
import type { Generated, GeneratedFile } from '../build/generated.js'
import { checkTargets, type Target } from '../build/write.js'
import { type Diagnostic, sortDiagnostics, UsageError } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import {
  type BuildOptions,
  completeOptions,
  type Options,
  outputsOf,
  pathsHint,
  withConfig,
} from '../options/options.js'
import type { Command } from './arguments.js'
import { findConfig, loadConfig } from './config-file.js'

/** The result of one target, and what its sources contributed. */
export interface BuiltTarget extends Target, Generated, Pick<Memory, 'parts'> {}

/** What a run of a command has made. */
export interface CommandResult {
  readonly targets: readonly BuiltTarget[]
  /** The files of all targets. Empty if there is any diagnostic. */
  readonly files: readonly GeneratedFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Compiles every target of a command, without writing anything. */
export async function compileCommand(command: Command, disk: Disk, memories?: Memories): Promise<CommandResult> {
  return compileTargets(await targetsOf(command, disk), disk, memories)
}

/** The targets that a command compiles, with complete options; their outputs are checked. */
export async function targetsOf(command: Command, disk: Disk): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const { name, options } of await configured(command, disk)) {
    targets.push({ name, options: await inTarget(name, () => completeOptions(options, disk)) })
  }
  try {
    checkTargets(targets)
  } catch (error) {
    for (const { options } of targets) recordOutputs(options, disk)
    throw error
  }
  return targets
}

/** Records outputs that cannot be written, so that a run while watching checks them again after a change. */
function recordOutputs(options: Options, disk: Disk): void {
  for (const { path } of outputsOf(options)) {
    if (disk.isFolder(path)) disk.list(path)
    else disk.read(path)
  }
}

/** The chosen targets of the configuration under the options of the command line. A target has a name if there are several. */
async function configured(
  { options, config, target: names }: Command,
  disk: Disk,
): Promise<{ readonly name: string | undefined; readonly options: BuildOptions }[]> {
  const path = config === undefined ? findConfig(process.cwd(), disk) : resolve(config)
  if (path === undefined) {
    if (names) throw new UsageError('--target needs a configuration, and none was found')
    if (options.paths.length === 0 && !options.methodsModules)
      throw new UsageError(`no rpc.config found and no paths: ${pathsHint}`)
    return [{ name: undefined, options }]
  }
  const targets = await loadConfig(path, disk)
  const unknown = names?.find((name) => !targets.some((each) => each.name === name))
  if (unknown !== undefined) {
    const known = targets.flatMap(({ name }) => name ?? []).join(', ')
    throw new UsageError(
      `unknown target ${unknown}: ${known ? `the targets are ${known}` : 'the targets have no names'}`,
    )
  }
  const chosen = targets.filter(({ name }) => !names || (name !== undefined && names.includes(name)))
  if (options.paths.length > 0 && chosen.length > 1) throw needsOneTarget(chosen, 'paths apply to one target')
  return chosen.map((each) => {
    return { name: chosen.length > 1 ? each.name : undefined, options: withConfig(options, each, path) }
  })
}

/** Returns the error for a command that needs one target. */
export function needsOneTarget(targets: readonly { readonly name?: string | undefined }[], why: string): UsageError {
  const flags = targets.map(({ name }) => `--target ${name}`)
  return new UsageError(`${why}, and the configuration has ${targets.length}: choose ${flags.join(' or ')}`)
}

/** Compiles targets, without writing anything. Sources of one tsconfig are parsed once. */
export async function compileTargets(
  targets: readonly Target[],
  disk: Disk,
  memories?: Memories,
): Promise<CommandResult> {
  const documentsOf = createDocuments()
  const built: BuiltTarget[] = []
  for (const { name, options } of targets) {
    const memory = memories?.of(name ?? '') ?? createMemory(documentsOf)
    const generated = await inTarget(name, () => build(options, disk, memory))
    built.push({ name, options, ...generated, parts: memory.parts })
  }
  const diagnostics = diagnosticsOf(built)
  return {
    targets: built,
    files: diagnostics.length > 0 ? [] : built.flatMap(({ files }) => files),
    diagnostics,
  }
}

/** A problem that several targets have is reported once. */
function diagnosticsOf(targets: readonly BuiltTarget[]): readonly Diagnostic[] {
  const found = new Map<string, { readonly diagnostic: Diagnostic; readonly names: string[] }>()
  for (const { name, diagnostics } of targets) {
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify(diagnostic)
      const known = found.get(key) ?? { diagnostic, names: [] }
      if (name !== undefined) known.names.push(name)
      found.set(key, known)
    }
  }
  const all = Array.from(found.values(), ({ diagnostic, names }) =>
    names.length > 0 ? { ...diagnostic, targets: names } : diagnostic,
  )
  return sortDiagnostics(all)
}

/** Returns the result of a function. Names the target in its UsageErrors, if there are several. */
async function inTarget<Value>(name: string | undefined, make: () => Value): Promise<Awaited<Value>> {
  try {
    return await make()
  } catch (error) {
    if (name === undefined || !(error instanceof UsageError)) throw error
    throw new UsageError(`target ${name}: ${error.message}`)
  }
}
