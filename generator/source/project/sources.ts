import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ts } from 'ts-morph'
import type { OpenProject } from './project.js'

const ownName = 'rpc-gen'
const known = new Map<string, boolean>()

/** True if the runtime of this package declares a symbol. A user's type of the same name is a different one. */
export function isOwn(symbol: ts.Symbol): boolean {
  const [declaration] = symbol.declarations ?? []
  const folder = declaration && runtimeFolder(declaration.getSourceFile().fileName)
  return folder !== undefined && isOwnFolder(folder)
}

/** Returns the innermost folder `runtime` that contains a file. */
export function runtimeFolder(file: string): string | undefined {
  const end = file.lastIndexOf('/runtime/')
  return end === -1 ? undefined : file.slice(0, end + '/runtime'.length)
}

function isOwnFolder(folder: string): boolean {
  const path = known.get(folder) ?? findOut(folder)
  known.set(folder, path)
  return path
}

function findOut(folder: string): boolean {
  const file = join(folder, 'package.json')
  if (existsSync(file)) {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
    if (name !== undefined) return name === ownName
  }
  const above = dirname(folder)
  return above !== folder && isOwnFolder(above)
}

/** True if a source has a syntax error: the checker would guess the rest of it. */
export function isBroken(source: ts.SourceFile, { program }: Pick<OpenProject, 'program'>): boolean {
  return !source.isDeclarationFile && program.getSyntacticDiagnostics(source).length > 0
}

/** Returns the project without sources that could not be read. */
export function withoutBroken(project: OpenProject): OpenProject {
  const sources = project.sources.filter((source) => !isBroken(source, project))
  return sources.length === project.sources.length ? project : { ...project, sources }
}

/** The supported forms of CommonJS exports: those that an import by name finds and that TypeScript resolves to a declaration. */
export const commonJsHint =
  'declare the function and write exports.add = add, or make it an ES module: export function add'

/** True if a script exports with `exports` or `module.exports`. */
export function isCommonJs(source: ts.SourceFile): boolean {
  const { commonJsModuleIndicator } = source as ts.SourceFile & { readonly commonJsModuleIndicator?: ts.Node }
  return commonJsModuleIndicator !== undefined
}

/** True if a file belongs to the platform: the language's own library, or the types of Node. */
export function isPlatformSource(source: ts.SourceFile, program: ts.Program): boolean {
  return program.isSourceFileDefaultLibrary(source) || source.fileName.includes('/node_modules/@types/node/')
}
