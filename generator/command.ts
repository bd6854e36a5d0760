import { resolve } from 'node:path'
import type { Command } from './arguments.js'
import type { Built } from './build.js'
import { build, type Memory } from './build.js'
import { type Cache, readCached } from './cache/fresh.js'
import { store } from './cache/store.js'
import { withConfig } from './config/check.js'
import { findConfig } from './config/find.js'
import { type Evaluated, evaluatedFormat, loadConfig } from './config/load.js'
import type { Disk } from './disk.js'
import { completeOptions, type GenerateOptions, type Options, outputsOf } from './options.js'
import { checkTargets } from './write.js'

/** What a command compiles, its outputs looked at. The configuration is read from the disk, and noted there. */
async function optionsOf({ options, config }: Command, memory: Memory, cache: Cache | undefined): Promise<Options> {
  const complete = completeOptions(await configured(options, config, memory, cache))
  try {
    checkTargets(complete)
  } catch (error) {
    noteTargets(complete, memory.disk)
    throw error
  }
  return complete
}

/** Outputs that cannot be written where they are to go: a later run can tell whether that still holds. */
function noteTargets(options: Options, disk: Disk): void {
  for (const { path } of outputsOf(options)) {
    if (disk.isFolder(path)) disk.list(path)
    else disk.read(path)
  }
}

/** The options of the command line over those of the configuration, where there is one. */
async function configured(
  options: GenerateOptions,
  config: string | undefined,
  { disk }: Memory,
  cache: Cache | undefined,
): Promise<GenerateOptions> {
  const path = config === undefined ? findConfig(process.cwd(), disk) : resolve(config)
  if (path === undefined) return options
  const before = cache && readCached<Evaluated>(cache, 'config', evaluatedFormat)
  const loaded = await loadConfig(path, disk, before)
  if (cache && loaded.evaluated && loaded.evaluated !== before) store(cache, 'config', loaded.evaluated)
  return withConfig(options, loaded.config, path)
}

/** What a run made, and the options that it was made with. */
export interface Ran extends Built {
  readonly options: Options
}

/** One run of a command, as far as nothing is written. */
export async function runOf(command: Command, memory: Memory, cache: Cache | undefined): Promise<Ran> {
  const options = await optionsOf(command, memory, cache)
  return { ...(await build(options, memory)), options }
}
