import { fileURLToPath } from 'node:url'
import { ts } from 'ts-morph'
import { slashes } from '../../paths.js'
import type { OpenProject } from './project.js'

const here = slashes(fileURLToPath(import.meta.url))
/** The folder of this package: this file is in its directory `generator`, or in that of `dist`. */
const root = here.slice(0, here.lastIndexOf('/generator/')).replace(/\/dist$/, '')
const ownFolders = ['/runtime/', '/dist/runtime/', '/dist/cjs/runtime/'].map((folder) => root + folder)

/**
 * True if the runtime of this package declares a symbol: the package that contains the generator, or an installed one. A user's
 * type of the same name is a different one.
 */
export function isDeclaredByRpcGen(symbol: ts.Symbol): boolean {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? ''
  return file.includes('/node_modules/rpc-gen/') || ownFolders.some((folder) => file.startsWith(folder))
}

const installed = '/node_modules/'

/**
 * True if a file belongs to an installed package. A package of the workspace is linked, and belongs to the user: its real path decides,
 * whereas TypeScript calls everything external that it finds through node_modules.
 */
export function isInstalled({ fileName }: ts.SourceFile): boolean {
  return fileName.includes(installed) && slashes(ts.sys.realpath?.(fileName) ?? fileName).includes(installed)
}

/** True if the user imports a file as one of a package: an installed one, by `#name` too, or one of the workspace. */
export function isOfPackage(source: ts.SourceFile, { program }: Pick<OpenProject, 'program'>): boolean {
  return program.isSourceFileFromExternalLibrary(source) || isInstalled(source)
}

/** Returns `luxon` for a node of `…/node_modules/@types/luxon/src/datetime.d.ts`; undefined for a source of the user. */
export function packageOf(node: ts.Node): string | undefined {
  const path = node.getSourceFile().fileName
  const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
  const [, types] = /^@types\/(.+)$/.exec(name ?? '') ?? []
  return types === undefined ? name : types.replace(/^(.+)__/, '@$1/')
}

/** Returns the syntax errors of a text that is parsed by itself: TypeScript stores them in the file and declares no access to them. */
export function syntaxErrorsIn(source: ts.SourceFile): readonly ts.Diagnostic[] {
  return (source as ts.SourceFile & { readonly parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? []
}

/** True if a source has a syntax error: the checker would guess the rest of it. */
export function isBroken(source: ts.SourceFile, { program }: Pick<OpenProject, 'program'>): boolean {
  return !source.isDeclarationFile && program.getSyntacticDiagnostics(source).length > 0
}

/** Reports the syntax errors of a source; true if it has any. */
export function reportSyntax(
  source: ts.SourceFile,
  { program, problems }: Pick<OpenProject, 'program' | 'problems'>,
): boolean {
  if (!isBroken(source, { program })) return false
  for (const each of program.getSyntacticDiagnostics(source)) {
    const message = ts.flattenDiagnosticMessageText(each.messageText, ' ')
    problems.add({ code: 'RPC104', message, position: problems.positionIn(source, each.start) })
  }
  return true
}

/** Returns TypeScript's errors in a node, such as a wrong number of type arguments. It checks the whole source, which is slow. */
export function errorsIn(node: ts.Node, { program }: Pick<OpenProject, 'program'>): readonly ts.Diagnostic[] {
  const all = program.getSemanticDiagnostics(node.getSourceFile())
  return all.filter(({ start = -1 }) => start >= node.getStart() && start < node.end)
}

/** Calls a function with each node of a source, in order. */
export function forEachNode(source: ts.SourceFile, visit: (node: ts.Node) => void): void {
  visitNodes(source, (node, add) => {
    visit(node)
    ts.forEachChild(node, add)
  })
}

/**
 * Calls a function with a node, and in order with those that it adds. Without recursion: a sum of thousands of terms is as deep, and a row of
 * aliases, or of interfaces that extend each other, may be as long.
 */
export function visitNodes(root: ts.Node, visit: (node: ts.Node, add: (next: ts.Node) => void) => void): void {
  const open = [root]
  const added: ts.Node[] = []
  const add = (next: ts.Node) => void added.push(next)
  for (let node = open.pop(); node; node = open.pop()) {
    visit(node, add)
    for (let each = added.pop(); each; each = added.pop()) open.push(each)
  }
}

/** True if the platform declares a node: the language's own library, or the types of Node. */
export function isOfPlatform(node: ts.Node, { program }: Pick<OpenProject, 'program'>): boolean {
  const source = node.getSourceFile()
  return program.isSourceFileDefaultLibrary(source) || source.fileName.includes('/node_modules/@types/node/')
}
