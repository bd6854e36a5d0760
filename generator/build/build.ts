import type { TextMemo } from '../../templates/typescript/module.js'
import { type Diagnostic, sortDiagnostics } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { createMerger, type Merger } from '../model/merge.js'
import type { Part } from '../model/part.js'
import type { Options } from '../options/options.js'
import { checkMissedIndexes } from '../source/comments/module-tags.js'
import { analyse } from '../source/procedures/analyse.js'
import { type FoundFiles, findFiles } from '../source/program/files.js'
import type { Documents } from '../source/program/host.js'
import { createClosures, createSpecifier } from '../source/program/imports.js'
import { openProject } from '../source/program/open-project.js'
import { collectProblems } from '../source/program/problems.js'
import { createIndexes } from '../source/program/sources.js'
import { type Config, readProjectConfig, settingsOf } from '../source/program/tsconfig.js'
import { type PartsCache, partsCache, type Sources, validParts } from './cache/parts.js'
import type { Generated } from './generated.js'
import { render } from './render.js'

/** State of earlier runs that a run reuses. */
export interface Memory {
  readonly disk: Disk
  /** Returns the parsed sources that a project shares with other targets and the next run. */
  readonly documentsOf?: ((config: Config) => Documents) | undefined
  /** The parts that the sources contributed. */
  readonly parts?: PartsCache | undefined
  /** The texts of procedures; absent if no later run uses them. */
  readonly memo?: TextMemo | undefined
  /** Makes the model, reusing what it made for the run before. */
  readonly merger?: Merger | undefined
}

/** The result of a run, and the parts for the next one; absent if there are diagnostics. */
export interface Built extends Generated {
  readonly parts?: PartsCache
}

/** What is known before the analysis. */
interface Task extends Memory {
  readonly options: Options
  readonly found: FoundFiles
  readonly config: Config
  /** The problems of the tsconfig and the paths. */
  readonly wrong: readonly Diagnostic[]
  readonly sources: Sources
  readonly settings: string
}

/** Reads the sources and makes the module. Parts of unchanged sources are reused. */
export async function build(options: Options, memory: Memory): Promise<Built> {
  const found = await findFiles(options, memory.disk)
  const early = collectProblems(options.cwd)
  const config = readProjectConfig(found.files[0], options, memory.disk, early)
  const wrong = [...early.list, ...found.diagnostics]
  const sources = { files: new Set(found.files), indexesAbove: createIndexes(found.files) }
  const settings = settingsOf(config, options)
  const task = { ...memory, options, found, config, wrong, sources, settings }
  const { model, diagnostics, parts } = understand(task)
  const result = { model, diagnostics, sources: found.files.length }
  if (!parts) return { ...result, files: [] }
  const all = parts.parts.map(([, , part]) => part)
  const files = await render({ ...task, model, specifier: createSpecifier(config, all, options, task.disk) })
  return { ...result, files, parts }
}

/** The result of an analysis, without objects of the compiler. */
type Understood = Pick<Built, 'model' | 'diagnostics' | 'parts'>

/** Analyses the sources that have changed. A run with problems analyses all sources, so that it reports all of them. */
function understand(task: Task): Understood {
  const { parts, settings, sources, disk, wrong } = task
  const known = wrong.length > 0 ? new Map() : validParts(parts, settings, sources, disk)
  const partly = known.size > 0 ? analyseUnknown(task, known) : undefined
  return partly?.parts ? partly : (analyseUnknown(task, new Map()) as Understood)
}

/** Analyses the sources without a known part. Undefined if the known parts cannot be used. */
function analyseUnknown(task: Task, known: ReadonlyMap<string, Part>): Understood | undefined {
  const { options, found, config, wrong, disk, sources, settings } = task
  const before = known.size > 0 ? task.parts : undefined
  const problems = collectProblems(options.cwd)
  for (const diagnostic of wrong) problems.add(diagnostic)
  const reused = { documents: task.documentsOf?.(config), known, globals: before?.globals ?? [] }
  const project = openProject(found, config, { options, disk, problems }, reused)
  if (!project) return undefined
  const earlier = new Map(before?.parts.map(([file, , part]) => [file, part]))
  const { model, parts } = analyse(project, { parts: earlier, merger: task.merger ?? createMerger() })
  const declaring = [...parts].flatMap(([file, part]) => [file, ...part.procedures.map((each) => each.file)])
  checkMissedIndexes(declaring, new Set(found.files), options.cwd, disk, problems)
  // If packages are not found, every other error may follow from that.
  const isAlone = wrong.some(({ code }) => code === 'RPC106')
  const diagnostics = sortDiagnostics(isAlone ? wrong : problems.list)
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
