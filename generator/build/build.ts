// One run of one target, from its options to the texts of its outputs:
//
//   { paths: ['src/api'], out: 'src/rpc.gen.ts' }  →  files: [{ path: '…/src/rpc.gen.ts', text: '…' }], diagnostics: []
import { type Diagnostic, sortDiagnostics } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import type { Model } from '../model/model.js'
import type { Part } from '../model/part.js'
import type { Options } from '../options/options.js'
import { checkMissedIndexes } from '../source/comments/module-tags.js'
import { analyse } from '../source/procedures/analyse.js'
import { type FoundFiles, findFiles } from '../source/program/files.js'
import { createClosures, createSpecifier } from '../source/program/imports.js'
import { openProject } from '../source/program/open-project.js'
import { collectProblems } from '../source/program/problems.js'
import type { Config } from '../source/program/project.js'
import { createIndexes } from '../source/program/sources.js'
import { readProjectConfig } from '../source/program/tsconfig.js'
import { createMemory, type Memory, settingsOf } from './cache/memory.js'
import { type PartsCache, partsCache, type Sources, validParts } from './cache/parts.js'
import { render } from './render.js'
import type { GeneratedFile } from './write.js'

/** The result of a run. */
export interface Generated {
  /** Empty if there is any diagnostic: a run writes all outputs or none. */
  readonly files: readonly GeneratedFile[]
  /** Must not be used if there is any diagnostic. */
  readonly model: Model
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
  /** The number of sources. */
  readonly sources: number
}

/** Reads the sources and makes the outputs. Parts of unchanged sources are reused; those of this run are left in the memory. */
export async function build(options: Options, disk: Disk, memory: Memory = createMemory()): Promise<Generated> {
  const early = { options, disk, problems: collectProblems(options.cwd) }
  const found = await findFiles(early)
  const config = readProjectConfig(found.files[0], early)
  const wrong = early.problems.list
  const sources = { files: new Set(found.files), indexesAbove: createIndexes(found.files) }
  const settings = settingsOf(config, options)
  const { model, diagnostics, parts } = understand({ options, disk, memory, found, config, wrong, sources, settings })
  const result = { model, diagnostics, sources: found.files.length }
  if (!parts) return { ...result, files: [] }
  memory.parts = parts
  const all = parts.parts.map(([, , part]) => part)
  const specifier = createSpecifier(config, all, options, disk)
  return { ...result, files: await render({ options, disk, memo: memory.memo, model, specifier }) }
}

/** What is known before the analysis. */
interface Input {
  readonly options: Options
  readonly disk: Disk
  readonly memory: Memory
  readonly found: FoundFiles
  readonly config: Config
  /** The problems of the tsconfig and the paths. */
  readonly wrong: readonly Diagnostic[]
  readonly sources: Sources
  readonly settings: string
}

/** What the analysis returns, without objects of the compiler. It has no parts if there are diagnostics. */
type Understood = Pick<Generated, 'model' | 'diagnostics'> & { readonly parts?: PartsCache }

/** Analyses the sources that have changed. A run with problems analyses all sources, so that it reports all of them. */
function understand(input: Input): Understood {
  const { memory, settings, sources, disk, wrong } = input
  const valid = wrong.length > 0 ? new Map() : validParts(memory.parts, settings, sources, disk)
  const partly = valid.size > 0 ? analyseOthers(input, valid) : undefined
  return partly?.parts ? partly : (analyseOthers(input, new Map()) as Understood)
}

/** Analyses the sources without a valid part. Undefined if the valid parts cannot be used. */
function analyseOthers(input: Input, valid: ReadonlyMap<string, Part>): Understood | undefined {
  const { options, disk, memory, found, config, wrong, sources, settings } = input
  const before = valid.size > 0 ? memory.parts : undefined
  const run = { options, disk, problems: collectProblems(options.cwd) }
  for (const diagnostic of wrong) run.problems.add(diagnostic)
  const project = openProject(found, config, run, {
    documents: memory.documentsOf(config),
    valid,
    parts: new Map(before?.parts.map(([file, , part]) => [file, part])),
    globals: before?.globals ?? [],
    merger: memory.merger,
  })
  if (!project) return undefined
  const { model, parts } = analyse(project)
  const declaring = [...parts].flatMap(([file, part]) => [file, ...part.procedures.map((each) => each.file)])
  checkMissedIndexes(declaring, new Set(found.files), run)
  // If packages are not found, every other error may follow from that.
  const isAlone = wrong.some(({ code }) => code === 'RPC106')
  const diagnostics = sortDiagnostics(isAlone ? wrong : run.problems.list)
  if (diagnostics.length > 0) return { model, diagnostics }
  const programFiles = new Set([
    ...project.program.getSourceFiles().map(({ fileName }) => fileName),
    ...found.files,
    ...config.rootNames,
    ...(before?.parts.flatMap(([, { files }]) => files) ?? []),
  ])
  const closure = createClosures(project.program)
  const globals = before?.globals ?? project.globals
  const learned = { settings, globals, parts, sources, disk, programFiles, closure }
  return { model, diagnostics, parts: partsCache(learned, before) }
}
