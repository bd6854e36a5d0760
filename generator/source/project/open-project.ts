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

/** What one run hands to the next, and what is known when it begins. */
export interface Workspace {
  readonly disk: Disk
  readonly documents: Documents | undefined
  /** What sources give that have not changed since. */
  readonly known: ReadonlyMap<string, Part>
  /** The files that were found to be global when they were known. */
  readonly globals: readonly string[]
}

/**
 * What the analysis needs whatever the project says. Without strictNullChecks null and undefined vanish from the types;
 * without stableTypeOrdering the order of a union depends on which file was looked at first.
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
 * Opens a program that holds the sources which are not known. What is wrong with the syntax of a file is reported.
 * Undefined when what is known cannot be used: a file has come to be global since.
 */
export function openProject(
  { files, pickedUp }: FoundFiles,
  config: Config,
  options: Options,
  problems: Problems,
  workspace: Workspace,
): OpenProject | undefined {
  const { disk, documents, known } = workspace
  const compilerOptions = { ...config.compilerOptions, ...forced }
  // What an older run left there must not change what this one finds.
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
  // Those that everyone sees come first, and in one order: where declarations are merged, their order is that of the files.
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
    methodsModules: pickedUp,
    generated: program.getSourceFile(options.out),
    // A codec decides what a type is in every source.
    globals: [...new Set([...globals, ...codecs])].sort(),
  }
}

function reportSyntax(program: ts.Program, source: ts.SourceFile, problems: Problems): void {
  for (const each of program.getSyntacticDiagnostics(source)) {
    const message = ts.flattenDiagnosticMessageText(each.messageText, ' ')
    problems.add({ code: 'RPC104', message, position: problems.positionIn(source, each.start) })
  }
}

/** Whether a type of a folder `runtime` is this package's own is for the package.json above to say. */
function notePackages(program: ts.Program, disk: Disk): void {
  const folders = new Set(program.getSourceFiles().map(({ fileName }) => runtimeFolder(fileName)))
  for (const folder of folders) {
    if (folder === undefined) continue
    for (let at = folder; at !== dirname(at); at = dirname(at))
      if (disk.isFile(join(at, 'package.json'))) disk.read(join(at, 'package.json'))
  }
}

/** JavaScript that the tsconfig leaves out is read when its marks are looked for. */
function unreadable(file: string, disk: Disk, problems: Problems): [] {
  if (disk.read(file) === undefined) {
    problems.add({ code: 'RPC102', message: `${problems.relative(file)} cannot be read` })
  }
  return []
}
