import { dirname, join } from 'node:path'
import { ts } from 'ts-morph'
import type { Disk } from '../../disk.js'
import type { Part } from '../../model/part.js'
import type { Options } from '../../options.js'
import { createIndexes } from '../comments/module-tags.js'
import type { Problems } from '../problems.js'
import { ambientFiles, globalFiles } from './closure.js'
import type { FoundFiles } from './files.js'
import { createHost, type Documents } from './host.js'
import type { OpenProject } from './project.js'
import { runtimeFolder } from './sources.js'
import type { Config } from './tsconfig.js'
import { checkTypePackages } from './unresolved.js'

/** What one run passes to the next, and the state at its beginning. */
export interface Workspace {
  readonly disk: Disk
  readonly documents: Documents | undefined
  /** The cached parts of unchanged sources. */
  readonly known: ReadonlyMap<string, Part>
  /** The files that were global when the parts were cached. */
  readonly globals: readonly string[]
}

/**
 * Compiler options that the analysis requires in every project. Without strictNullChecks the types do not contain null and
 * undefined; without stableTypeOrdering the order of a union depends on which file was read first.
 */
const forced: ts.CompilerOptions = {
  strictNullChecks: true,
  stableTypeOrdering: true,
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
}

/**
 * Opens a program of the sources without a cached part. Reports syntax errors.
 * Undefined if the cached parts cannot be used because another file has become global.
 */
export function openProject(
  { files, methodsModules }: FoundFiles,
  config: Config,
  options: Options,
  problems: Problems,
  workspace: Workspace,
): OpenProject | undefined {
  const { disk, documents, known } = workspace
  const compilerOptions = { ...config.compilerOptions, ...forced }
  // The output of an older run must not affect the analysis.
  const overlay = { path: options.out, text: 'export {}\n' }
  const host = createHost(compilerOptions, disk, documents ?? new Map(), overlay, options.cwd)
  const wanted = files.filter((file) => !known.has(file))
  const indexes = wanted.flatMap(createIndexes(files))
  const open = (first: readonly string[]) => {
    const roots = new Set([options.out, ...first, ...wanted, ...indexes])
    return ts.createProgram({ rootNames: [...roots], options: compilerOptions, host })
  }
  const all = new Set([...config.rootNames, ...files])
  all.delete(options.out)
  // Global files come first and in a fixed order: merged declarations are in the order of their files.
  const codecs = [...new Set(options.scalars.map(({ module }) => module))].filter((module) => disk.isFile(module))
  const ambient = [...new Set([...ambientFiles([...all], disk), ...codecs, ...workspace.globals])].sort()
  let program = open(ambient)
  let globals = globalFiles(program)
  if (known.size > 0 && globals.some((file) => !workspace.globals.includes(file))) return undefined
  for (let before = ambient; globals.some((file) => !before.includes(file)); ) {
    before = [...new Set([...before, ...globals])].sort()
    program = open(before)
    globals = globalFiles(program)
  }
  const sources = wanted.flatMap((file) => program.getSourceFile(file) ?? unreadable(file, disk, problems))
  const codecSources = codecs.flatMap((file) => program.getSourceFile(file) ?? [])
  for (const source of new Set([...sources, ...codecSources])) reportSyntax(program, source, problems)
  checkTypePackages(program, config, problems)
  notePackages(program, disk)
  return {
    program,
    checker: program.getTypeChecker(),
    config,
    sources,
    files: new Set(files),
    known,
    methodsModules,
    generated: program.getSourceFile(options.out),
    // A codec determines a type in every source.
    globals: [...new Set([...globals, ...codecs])].sort(),
  }
}

function reportSyntax(program: ts.Program, source: ts.SourceFile, problems: Problems): void {
  for (const each of program.getSyntacticDiagnostics(source)) {
    const message = ts.flattenDiagnosticMessageText(each.messageText, ' ')
    problems.add({ code: 'RPC104', message, position: problems.positionIn(source, each.start) })
  }
}

/** Records the package.json that decides whether types of a folder `runtime` belong to this package. */
function notePackages(program: ts.Program, disk: Disk): void {
  const folders = new Set(program.getSourceFiles().map(({ fileName }) => runtimeFolder(fileName)))
  for (const folder of folders) {
    if (folder === undefined) continue
    for (let at = folder; at !== dirname(at); at = dirname(at))
      if (disk.isFile(join(at, 'package.json'))) disk.read(join(at, 'package.json'))
  }
}

/** JavaScript that the tsconfig leaves out is read when its marks are searched. */
function unreadable(file: string, disk: Disk, problems: Problems): [] {
  if (disk.read(file) === undefined) {
    problems.add({ code: 'RPC102', message: `${problems.relative(file)} cannot be read` })
  }
  return []
}
