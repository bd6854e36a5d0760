// Opens a program of the sources that have changed, with the options that the analysis requires:
//
//   three sources, two with cached parts  →  a program of the third one and of what it imports
import { dirname } from 'node:path'
import { ts } from 'ts-morph'
import { memoize } from '../../../runtime/values/cache.js'
import { UsageError } from '../../diagnostics/diagnostic.js'
import type { Disk } from '../../disk/disk.js'
import type { Options } from '../../options/options.js'
import { importPath, relativeTo } from '../../paths.js'
import { isOutput } from './files.js'
import { ambientFiles, createClosures, globalFiles } from './imports.js'
import { typesPackage } from './missing.js'
import type { Problems } from './problems.js'
import type { FoundProject, OpenProject, ProjectConfig, Run } from './project.js'
import { getLibFiles } from './required.js'
import { isBroken, reportSyntax } from './sources.js'
import { optionPosition } from './tsconfig.js'

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

/** Parsed sources, kept from one program of a project to the next: unchanged text is not parsed again. */
export type Documents = Map<string, { readonly version: string; readonly source: ts.SourceFile }>

/** What earlier runs of the target have left for the program. */
interface Earlier extends Pick<OpenProject, 'valid'> {
  /** Parsed sources. */
  readonly documents: Documents
  /** The files that were global when the parts were made. */
  readonly globals: readonly string[]
}

/** Opens a program of the sources without a valid part: of all sources if another file has become global. Reports syntax errors. */
export function openProject(found: FoundProject, earlier: Earlier): OpenProject {
  const { files, config, disk, options, problems } = found
  const { valid } = earlier
  const knownGlobals = valid.size > 0 ? earlier.globals : []
  const compilerOptions = { ...config.compilerOptions, ...forced }
  const host = createHost(compilerOptions, earlier.documents, found)
  const wanted = [...files].filter((file) => !valid.has(file))
  const indexes = wanted.flatMap(found.indexesAbove)
  const open = (first: readonly string[]) => {
    const roots = new Set([options.out, ...first, ...wanted, ...indexes])
    return ts.createProgram({ rootNames: [...roots], options: compilerOptions, host })
  }
  const all = new Set([...config.rootNames, ...files])
  all.delete(options.out)
  // Global files come first and in a fixed order: merged declarations are in the order of their files.
  const codecs = [...new Set(options.scalars.map(({ module }) => module))].filter((module) => disk.isFile(module))
  const ambient = [...new Set([...ambientFiles([...all], disk), ...codecs, ...knownGlobals])].sort()
  const opened = open(ambient)
  if (valid.size > 0 && globalFiles(opened).some((file) => !knownGlobals.includes(file)))
    return openProject(found, { ...earlier, valid: new Map() })
  const { program, globals } = withGlobalsFirst(opened, ambient, open)
  const read = wanted.flatMap((file) => program.getSourceFile(file) ?? unreadable(file, disk, problems))
  const codecSources = codecs.flatMap((file) => program.getSourceFile(file) ?? [])
  for (const source of new Set([...read, ...codecSources])) reportSyntax(source, { program, problems })
  checkTypePackages(program, config, problems)
  const generated = program.getSourceFile(options.out)
  const format = generated?.impliedNodeFormat
  return {
    ...found,
    valid,
    program,
    programFiles: program.getSourceFiles().map(({ fileName }) => fileName),
    closureOf: createClosures(program),
    resolveModule(specifier, from = options.out) {
      const resolved = ts.resolveModuleName(specifier, from, compilerOptions, host, undefined, undefined, format)
      return resolved.resolvedModule?.resolvedFileName
    },
    moduleOf: memoize(({ fileName }) => moduleAt(fileName, options)),
    checker: checkerOf(program, options.cwd),
    sources: read.filter((source) => !isOutput(source.fileName, config) && !isBroken(source, { program })),
    generated,
    // A codec determines a type in every source.
    globals: [...new Set([...globals, ...codecs])].sort(),
  }
}

/** Opens the program again until all its global files are among the first ones. */
function withGlobalsFirst(
  program: ts.Program,
  first: readonly string[],
  open: (first: readonly string[]) => ts.Program,
): { readonly program: ts.Program; readonly globals: readonly string[] } {
  const globals = globalFiles(program)
  if (globals.every((file) => first.includes(file))) return { program, globals }
  const all = [...new Set([...first, ...globals])].sort()
  return withGlobalsFirst(open(all), all, open)
}

/** The folder of TypeScript's libraries in ts-morph, where they are texts and not files. */
const libraries = '/node_modules/typescript/lib'

const libraryTexts = new Map(getLibFiles().map(({ fileName, text }) => [`${libraries}/${fileName}`, text]))

/**
 * The compiler's access to the file system, which is recorded, and to the libraries. `out` is an empty module: the output of an older
 * run must not affect the analysis.
 */
function createHost(compilerOptions: ts.CompilerOptions, documents: Documents, run: Run): ts.CompilerHost {
  const { disk, options } = run
  const { out, cwd } = options
  const isLibrary = (path: string) => path.startsWith(`${libraries}/`)
  const read = (path: string): string | undefined => {
    if (path === out) return 'export {}\n'
    return isLibrary(path) ? libraryTexts.get(path) : disk.read(path)
  }
  const sensitive = ts.sys.useCaseSensitiveFileNames
  return {
    getSourceFile(path, how) {
      const text = read(path)
      if (text === undefined) return undefined
      const format = typeof how === 'object' ? how.impliedNodeFormat : undefined
      const version = `${isLibrary(path) || path === out ? '' : (disk.hashOf(path) ?? text)} ${format}`
      const known = documents.get(path)
      if (known?.version === version) return known.source
      const source = parseSource(path, text, how, cwd)
      documents.set(path, { version, source })
      return source
    },
    // Doc comments are read from the text. The parser only reads those of scripts, which contain types.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo,
    getDefaultLibFileName: () => `${libraries}/${ts.getDefaultLibFileName(compilerOptions)}`,
    getDefaultLibLocation: () => libraries,
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (path) => (sensitive ? path : path.toLowerCase()),
    useCaseSensitiveFileNames: () => sensitive,
    getNewLine: () => '\n',
    writeFile: () => {},
    readFile: read,
    fileExists: (path) => path === out || (isLibrary(path) ? libraryTexts.has(path) : disk.isFile(path)),
    directoryExists: (path) => path === libraries || disk.isFolder(path),
    getDirectories: (path) => [...disk.list(path).folders],
    realpath: (path) => (isLibrary(path) || path === out ? path : disk.realpath(path)),
  }
}

function parseSource(path: string, text: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions, cwd: string) {
  try {
    return ts.createSourceFile(path, text, how)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${relativeTo(cwd, path)} nests too deeply to be parsed`)
  }
}

/** Makes the checker, which visits all declarations of all files. @throws UsageError for a file that nests too deeply for it */
function checkerOf(program: ts.Program, cwd: string): ts.TypeChecker {
  try {
    return program.getTypeChecker()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const byDepth = program.getSourceFiles().map((file) => ({ file, depth: depthOf(file) }))
    const { file } = byDepth.reduce((deepest, each) => (each.depth > deepest.depth ? each : deepest))
    throw new UsageError(`${relativeTo(cwd, file.fileName)} nests too deeply to be analysed`)
  }
}

/** How deep the nodes of a file are nested, without recursion. */
function depthOf(file: ts.SourceFile): number {
  let deepest = 0
  const open: [node: ts.Node, depth: number][] = [[file, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, depth] = next
    deepest = Math.max(deepest, depth)
    node.forEachChild((child) => void open.push([child, depth + 1]))
  }
  return deepest
}

function moduleAt(path: string, { out }: Options): string {
  const [, inPackage] = /^.*\/node_modules\/(.*)$/s.exec(path) ?? []
  return inPackage ?? importPath(dirname(out), path)
}

/** JavaScript that the tsconfig leaves out is read when its marks are searched. */
function unreadable(file: string, disk: Disk, problems: Problems): [] {
  if (disk.read(file) === undefined) {
    problems.add({ code: 'RPC102', message: `${problems.relative(file)} cannot be read` })
  }
  return []
}

/** TypeScript's "cannot find type definition file for …". */
const noTypeDefinition = 2688

/** Reports packages in the tsconfig's `types` that are not installed. */
function checkTypePackages(program: ts.Program, { compilerOptions, path }: ProjectConfig, problems: Problems): void {
  if (path === undefined || !compilerOptions.types?.length) return
  for (const each of program.getOptionsDiagnostics()) {
    if (each.code !== noTypeDefinition) continue
    const [, name = ''] = /'(.*?)'/.exec(ts.flattenDiagnosticMessageText(each.messageText, ' ')) ?? []
    problems.add({
      code: 'RPC108',
      message: `the tsconfig lists the types of ${name}, but they are not installed`,
      position: optionPosition(compilerOptions, 'types', path, problems),
      hint: `npm install --save-dev ${typesPackage(name)}`,
    })
  }
}
