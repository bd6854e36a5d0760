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
import type { FoundProject } from '../source/program/project.js'
import { readProjectConfig } from '../source/program/tsconfig.js'
import { createMemory, type Memory, type StoredParts, storedParts, validParts } from './cache/memory.js'
import type { Generated } from './generated.js'
import { render } from './render.js'

/** Reads the sources and makes the outputs. Parts of unchanged sources are reused; those of this run are left in the memory. */
export async function build(options: Options, disk: Disk, memory: Memory = createMemory()): Promise<Generated> {
  const run = { options, disk, problems: collectProblems(options.cwd) }
  const found = await findFiles(run)
  const [first] = found.files
  const config = readProjectConfig(first, run)
  const project = { ...run, ...found, config }
  const valid = run.problems.list.length > 0 ? new Map() : validParts(memory.parts, project)
  const changed = analyseSources(valid, project, memory)
  // A run with problems analyses all sources, so that it reports all of them.
  const isComplete = changed.parts || valid.size === 0
  const { model, diagnostics, parts } = isComplete ? changed : analyseSources(new Map(), project, memory)
  const result = { model, diagnostics, sources: found.files.size }
  if (!parts) return { ...result, files: [] }
  memory.parts = parts
  const all = parts.parts.map(([, , part]) => part)
  const specifier = createSpecifier(config, all, options, disk)
  return { ...result, files: await render({ options, disk, memo: memory.memo, model, specifier }) }
}

/** The result of an analysis, without objects of the compiler. It has no parts if there are diagnostics. */
type Result = Pick<Generated, 'model' | 'diagnostics'> & { readonly parts?: StoredParts }

/** Analyses the sources that have no part in `valid`. The problems of `found` are those of the tsconfig and the paths. */
function analyseSources(valid: ReadonlyMap<string, Part>, found: FoundProject, memory: Memory): Result {
  const { options, files, config } = found
  const known = found.problems.list
  const problems = collectProblems(options.cwd)
  for (const diagnostic of known) problems.add(diagnostic)
  const documents = memory.documentsOf(config)
  const earlier = { documents, valid, globals: memory.parts?.globals ?? [] }
  const project = openProject({ ...found, problems }, earlier)
  const old = new Map(memory.parts?.parts.map(([file, , part]) => [file, part]))
  const parts = new Map(Array.from(analyse(project), ([file, part]) => [file, withRecordsOf(old.get(file), part)]))
  const model = memory.merge([...parts.values()])
  const declaring = new Set([...parts].flatMap(([file, part]) => [file, ...part.procedures.map((each) => each.file)]))
  checkMissedIndexes(declaring, files, project)
  // Every other error may follow from a wrong tsconfig, or from what TypeScript guesses after a syntax error.
  const all = known.some(({ code }) => /^RPC10[369]$/.test(code)) ? known : problems.list
  const syntaxErrors = all.filter(({ code }) => code === 'RPC104')
  const diagnostics = sortDiagnostics(syntaxErrors.length > 0 ? syntaxErrors : all)
  if (diagnostics.length > 0) return { model, diagnostics }
  const before = project.valid.size > 0 ? memory.parts : undefined
  const knownFiles = new Set([
    ...project.programFiles,
    ...files,
    ...config.rootNames,
    ...(before?.parts.flatMap(([, closure]) => closure.files) ?? []),
  ])
  const globals = before?.globals ?? project.globals
  const learned = { ...project, globals, parts, knownFiles }
  return { model, diagnostics, parts: storedParts(learned, before) }
}
