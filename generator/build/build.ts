// One run of one target, from its options to the texts of its outputs:
//
//   { paths: ['src/api'], out: 'src/rpc.gen.ts' }  →  files: [{ path: '…/src/rpc.gen.ts', text: '…' }], diagnostics: []
import { sortDiagnostics } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { withRecordsOf } from '../model/merge.js'
import type { Part } from '../model/part.js'
import type { Options } from '../options/options.js'
import { checkMissedIndexes } from '../source/comments/module-tags.js'
import { analyse } from '../source/procedures/analyse.js'
import { findFiles } from '../source/program/files.js'
import { createSpecifier } from '../source/program/imports.js'
import { openProject } from '../source/program/open-project.js'
import { collectProblems } from '../source/program/problems.js'
import type { FoundFiles, ProjectConfig, Run } from '../source/program/project.js'
import { readProjectConfig } from '../source/program/tsconfig.js'
import { createMemory, type Memory, type PartsCache, partsCache, settingsOf, validParts } from './cache/memory.js'
import type { Generated } from './generated.js'
import { render } from './render.js'

/** Reads the sources and makes the outputs. Parts of unchanged sources are reused; those of this run are left in the memory. */
export async function build(options: Options, disk: Disk, memory: Memory = createMemory()): Promise<Generated> {
  const run = { options, disk, problems: collectProblems(options.cwd) }
  const found = await findFiles(run)
  const [first] = found.files
  const config = readProjectConfig(first, run)
  const input = { ...run, ...found, memory, config, settings: settingsOf(config, options) }
  const { model, diagnostics, parts } = analyseChanged(input)
  const result = { model, diagnostics, sources: found.files.size }
  if (!parts) return { ...result, files: [] }
  memory.parts = parts
  const all = parts.parts.map(([, , part]) => part)
  const specifier = createSpecifier(config, all, options, disk)
  return { ...result, files: await render({ options, disk, memo: memory.memo, model, specifier }) }
}

/** A run before the compiler is started, whose problems are those of the tsconfig and the paths, and what earlier runs have left. */
interface Input extends Run, FoundFiles {
  readonly memory: Memory
  readonly config: ProjectConfig
  readonly settings: string
}

/** The result of an analysis, without objects of the compiler. It has no parts if there are diagnostics. */
type Result = Pick<Generated, 'model' | 'diagnostics'> & { readonly parts?: PartsCache }

/** Analyses the sources that have changed. A run with problems analyses all sources, so that it reports all of them. */
function analyseChanged(input: Input): Result {
  const { memory, settings, disk, problems } = input
  const valid = problems.list.length > 0 ? new Map() : validParts(memory.parts, settings, input, disk)
  const result = analyseSources(valid, input)
  return result.parts || valid.size === 0 ? result : analyseSources(new Map(), input)
}

/** Analyses the sources that have no part in `valid`. */
function analyseSources(valid: ReadonlyMap<string, Part>, input: Input): Result {
  const { options, disk, memory, files, config } = input
  const known = input.problems.list
  const run = { options, disk, problems: collectProblems(options.cwd) }
  for (const diagnostic of known) run.problems.add(diagnostic)
  const documents = memory.documentsOf(config)
  const project = openProject(input, config, run, { documents, valid, globals: memory.parts?.globals ?? [] })
  const earlier = new Map(memory.parts?.parts.map(([file, , part]) => [file, part]))
  const parts = new Map(Array.from(analyse(project), ([file, part]) => [file, withRecordsOf(earlier.get(file), part)]))
  const model = memory.merger.merge([...parts.values()])
  const declaring = [...parts].flatMap(([file, part]) => [file, ...part.procedures.map((each) => each.file)])
  checkMissedIndexes(declaring, files, run)
  // If packages are not found, every other error may follow from that; so it may from what TypeScript guesses after a syntax error.
  const found = known.some(({ code }) => code === 'RPC106') ? known : run.problems.list
  const syntaxErrors = found.filter(({ code }) => code === 'RPC104')
  const diagnostics = sortDiagnostics(syntaxErrors.length > 0 ? syntaxErrors : found)
  if (diagnostics.length > 0) return { model, diagnostics }
  const before = project.valid.size > 0 ? memory.parts : undefined
  const programFiles = new Set([
    ...project.programFiles,
    ...files,
    ...config.rootNames,
    ...(before?.parts.flatMap(([, closure]) => closure.files) ?? []),
  ])
  const globals = before?.globals ?? project.globals
  return {
    model,
    diagnostics,
    parts: partsCache({ ...input, globals, parts, programFiles, closure: project.closureOf }, before),
  }
}
