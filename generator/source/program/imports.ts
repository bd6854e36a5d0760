// How modules import each other, and how the generated module imports them:
//
//   ./procedures/math.ts  →  './procedures/math.js' under nodenext, './procedures/math' for a bundler
import { dirname, resolve } from 'node:path'
import { ts } from 'ts-morph'
import type { Disk } from '../../disk/disk.js'
import type { Part } from '../../model/part.js'
import { type ImportExt, type Options, outputsOf } from '../../options/options.js'
import { slashes } from '../../paths.js'
import type { OpenProject, ProjectConfig } from './project.js'

/**
 * Reports imports from the generated file that are not `import type`. That file imports the sources, so such an import is a cycle;
 * an import of types does not exist at run time.
 */
export function checkImports(source: ts.SourceFile, { checker, generated, problems }: OpenProject): void {
  for (const statement of source.statements) {
    const specifier = specifierOf(statement)
    if (!specifier || !importsValue(statement)) continue
    if (checker.getSymbolAtLocation(specifier)?.valueDeclaration !== generated) continue
    const message = 'a value of the generated file is imported here, and that file imports this one'
    const hint = 'import it where the server is made, outside the paths, or write import type if it is a type'
    problems.at(specifier, 'RPC105', message, { hint })
  }
}

/** Returns the module specifier of an import or a re-export. */
export function specifierOf(statement: ts.Statement): ts.StringLiteral | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined
  const { moduleSpecifier } = statement
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier : undefined
}

function importsValue(statement: ts.Statement): boolean {
  const clause = ts.isImportDeclaration(statement) ? statement.importClause : statement
  if (!clause || !(ts.isImportClause(clause) || ts.isExportDeclaration(clause))) return true
  const names = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause
  const isList = names && (ts.isNamedImports(names) || ts.isNamedExports(names)) && !clause.name
  return !clause.isTypeOnly && !(isList && names.elements.every(({ isTypeOnly }) => isTypeOnly))
}

/** Returns how the generated file imports a module that is `./procedures/math.ts` on disk. */
export function createSpecifier(
  { compilerOptions, rootNames }: ProjectConfig,
  parts: Iterable<Part>,
  options: Options,
  disk: Disk,
): (module: string) => string {
  const outputs = new Set(outputsOf(options).map(({ path }) => path))
  const others = () => {
    const written = rootNames.filter((file) => !outputs.has(file) && !toolGenerated.test(file))
    return written.flatMap((file) => disk.read(file) ?? [])
  }
  const ext = options.importExt ?? inferExt(compilerOptions, [...parts], others)
  const jsx = ext === 'js' && isJsxCompiled(compilerOptions) ? '.js' : '.jsx'
  // Only relative imports may have no ending: that of a package is part of a name, such as `shared/math.js`.
  const packageExt = ext === 'none' ? 'js' : ext
  return (module) => withEnding(module, isRelative(module) ? ext : packageExt).replace(/\.jsx$/, jsx)
}

/** Declarations, and files that tools generate, such as those in `.next/types`. */
const toolGenerated = /\/\.[^/]*\/|\.(?:d|gen)\.[^/]*$/

/** True if `a.jsx` becomes `a.js`. Otherwise a bundler reads it unchanged. */
function isJsxCompiled({ noEmit, jsx }: ts.CompilerOptions): boolean {
  return !noEmit && jsx !== undefined && jsx !== ts.JsxEmit.Preserve
}

const builtExt: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.mts': '.mjs', '.cts': '.cjs' }

function withEnding(module: string, ext: ImportExt): string {
  const [, stem = module, own = ''] = /^(.*?)((?:\.d)?\.[mc]?[tj]sx?)$/s.exec(module) ?? []
  if (ext === 'ts') return module
  // Without an ending only these two are resolved.
  if (ext === 'none' && /^\.[tj]sx?$/.test(own)) return stem
  const source = own.replace('.d', '')
  return stem + (builtExt[source] ?? source)
}

/**
 * Returns the ending of imports that the tsconfig requires, else that of most relative imports in the sources, else that of most in
 * the other files of the project. Without any there is no ending: every bundler resolves that, and some of them no `.js` of a `.ts`.
 */
function inferExt(
  compilerOptions: ts.CompilerOptions,
  parts: readonly Part[],
  others: () => readonly string[],
): ImportExt {
  if (compilerOptions.allowImportingTsExtensions || compilerOptions.rewriteRelativeImportExtensions) return 'ts'
  if (requiresExt(compilerOptions)) return 'js'
  const own = sumOf(parts.map(({ imports }) => imports))
  const { relative, bare } = own.relative > 0 ? own : sumOf(others().map(countInText))
  return bare * 2 > relative || relative === 0 ? 'none' : 'js'
}

function sumOf(counts: readonly Part['imports'][]): Part['imports'] {
  return {
    relative: counts.reduce((sum, { relative }) => sum + relative, 0),
    bare: counts.reduce((sum, { bare }) => sum + bare, 0),
  }
}

/** Returns the number of relative imports in a source, and of those without an ending. */
export function countImports(source: ts.SourceFile): Part['imports'] {
  return countSpecifiers(source.statements.flatMap((each) => specifierOf(each)?.text ?? []))
}

/** The same for a source that is not parsed. */
function countInText(text: string): Part['imports'] {
  const specifiers = text.matchAll(/^(?:import|export|\})(?:[^'"\n]*\bfrom)? *(['"])(\.[^'"\n]*)\1/gm)
  return countSpecifiers(Array.from(specifiers, ([, , specifier = '']) => specifier))
}

function countSpecifiers(all: readonly string[]): Part['imports'] {
  const specifiers = all.filter(isRelative)
  const bare = specifiers.filter((specifier) => !/\.[mc]?[tj]sx?$/.test(specifier))
  return { relative: specifiers.length, bare: bare.length }
}

function requiresExt({ module, moduleResolution }: ts.CompilerOptions): boolean {
  const strict = [ts.ModuleResolutionKind.Node16, ts.ModuleResolutionKind.NodeNext]
  if (moduleResolution !== undefined) return strict.includes(moduleResolution)
  return module === undefined || (module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext)
}

/** True for the specifier of a module of the project. */
export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

/** `@scope/name` of `@scope/name/part`. */
export function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Members of a source file that TypeScript does not declare. */
interface InternalSourceFile {
  readonly imports?: readonly ts.StringLiteralLike[]
  readonly moduleAugmentations?: readonly ts.Node[]
  readonly externalModuleIndicator?: unknown
}

/** A member of a program that TypeScript does not declare. */
interface InternalProgram {
  getResolvedModuleFromModuleSpecifier(
    specifier: ts.StringLiteralLike,
    source: ts.SourceFile,
  ): { readonly resolvedModule?: { readonly resolvedFileName: string } } | undefined
}

/** Returns a function from a file to all files that its types can depend on: itself and its imports, transitively. */
export function createClosures(program: ts.Program): (file: string) => readonly string[] {
  const direct = new Map<string, readonly string[]>()
  const directOf = (file: string): readonly string[] => {
    const source = program.getSourceFile(file)
    const known = direct.get(file) ?? (source ? importedBy(source, program) : [])
    direct.set(file, known)
    return known
  }
  return (file) => {
    const found = new Set([file])
    for (const each of found) for (const other of directOf(each)) found.add(other)
    return [...found].sort()
  }
}

function importedBy(source: ts.SourceFile, program: ts.Program): string[] {
  const { getResolvedModuleFromModuleSpecifier: resolved } = program as unknown as InternalProgram
  const { imports = [] } = source as InternalSourceFile
  const modules = imports.flatMap((specifier) => resolved(specifier, source)?.resolvedModule?.resolvedFileName ?? [])
  const named = source.referencedFiles.map(({ fileName }) => slashes(resolve(dirname(source.fileName), fileName)))
  return [...modules, ...named].filter((file) => program.getSourceFile(file))
}

/** Returns the specifiers of all modules that a source names, also in types: `import('a').A`. */
export function specifiersIn(source: ts.SourceFile): readonly ts.StringLiteralLike[] {
  const { imports = [] } = source as InternalSourceFile
  // Those of helpers, which TypeScript adds, have no position.
  return imports.filter(({ pos }) => pos >= 0)
}

/** Returns the files whose declarations are visible without an import: scripts, and modules that augment others. */
export function globalFiles(program: ts.Program): string[] {
  return program
    .getSourceFiles()
    .filter((source) => isGlobal(source) && !program.isSourceFileDefaultLibrary(source))
    .map(({ fileName }) => fileName)
    .sort()
}

function isGlobal(source: ts.SourceFile): boolean {
  const { externalModuleIndicator, moduleAugmentations = [] } = source as InternalSourceFile
  return !externalModuleIndicator || moduleAugmentations.length > 0
}

/**
 * Returns the files of a tsconfig that can change types without being imported: declarations, scripts, and
 * modules that augment others. The other files of a project are read, but not compiled.
 */
export function ambientFiles(files: readonly string[], disk: Disk): string[] {
  return files.filter((file) => isAmbient(file, disk.read(file))).sort()
}

function isAmbient(file: string, text: string | undefined): boolean {
  if (text === undefined) return false
  if (/\.d\.[^/]*$/.test(file)) return true
  return !/^\s*(?:import|export)\b/m.test(text) || /\bdeclare\s+(?:module|global)\b/.test(text)
}
