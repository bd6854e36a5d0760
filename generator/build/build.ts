// One run of one target, from its options to the texts of its outputs:
//
//   { paths: ['src/api'], out: 'src/rpc.gen.ts' }  →  files: [{ path: '…/src/rpc.gen.ts', text: '…' }], diagnostics: []
import { sortDiagnostics } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import type { Part } from '../model/part.js'
import type { Options } from '../options/options.js'
import { checkMissedIndexes } from '../source/comments/module-tags.js'
import { analyse } from '../source/procedures/analyse.js'
import { type FoundFiles, findFiles } from '../source/program/files.js'
import { createClosures, createSpecifier } from '../source/program/imports.js'
import { openProject } from '../source/program/open-project.js'
import { collectProblems } from '../source/program/problems.js'
import type { Config, Run } from '../source/program/project.js'
import { createIndexes } from '../source/program/sources.js'
import { readProjectConfig } from '../source/program/tsconfig.js'
import { createMemory, type Memory, settingsOf } from './cache/memory.js'
import { type PartsCache, partsCache, type Sources, validParts } from './cache/parts.js'
import type { Generated } from './generated.js'
import { render } from './render.js'

/** Reads the sources and makes the outputs. Parts of unchanged sources are reused; those of this run are left in the memory. */
export async function build(options: Options, disk: Disk, memory: Memory = createMemory()): Promise<Generated> {
  const early = { options, disk, problems: collectProblems(options.cwd) }
  const found = await findFiles(early)
  const config = readProjectConfig(found.files[0], early)
  const sources = { files: new Set(found.files), indexesAbove: createIndexes(found.files) }
  const settings = settingsOf(config, options)
  const { model, diagnostics, parts } = analyseSources({ early, memory, found, config, sources, settings })
  const result = { model, diagnostics, sources: found.files.length }
  if (!parts) return { ...result, files: [] }
  memory.parts = parts
  const all = parts.parts.map(([, , part]) => part)
  const specifier = createSpecifier(config, all, options, disk)
  return { ...result, files: await render({ options, disk, memo: memory.memo, model, specifier }) }
}

/** What is known before the analysis. */
interface Input {
  /** The run before the compiler is started, with the problems of the tsconfig and the paths. */
  readonly early: Run
  readonly memory: Memory
  readonly found: FoundFiles
  readonly config: Config
  readonly sources: Sources
  readonly settings: string
}

/** What the analysis returns, without objects of the compiler. It has no parts if there are diagnostics. */
type SourcesAnalysis = Pick<Generated, 'model' | 'diagnostics'> & { readonly parts?: PartsCache }

/** Analyses the sources that have changed. A run with problems analyses all sources, so that it reports all of them. */
function analyseSources(input: Input): SourcesAnalysis {
  const { early, memory, settings, sources } = input
  const valid = early.problems.list.length > 0 ? new Map() : validParts(memory.parts, settings, sources, early.disk)
  const partly = valid.size > 0 ? analyseWithout(input, valid) : undefined
  return partly?.parts ? partly : (analyseWithout(input, new Map()) as SourcesAnalysis)
}

/** Analyses the sources without a valid part. Undefined if the parts cannot be used. */
function analyseWithout(input: Input, valid: ReadonlyMap<string, Part>): SourcesAnalysis | undefined {
  const { early, memory, found, config, sources, settings } = input
  const before = valid.size > 0 ? memory.parts : undefined
  const run = { ...early, problems: collectProblems(early.options.cwd) }
  const wrong = early.problems.list
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
  const learned = { settings, globals, parts, sources, disk: run.disk, programFiles, closure }
  return { model, diagnostics, parts: partsCache(learned, before) }
}
