// Finds the functions with @rpc that a source exports, and reports those that cannot be called:
//
//   /** @rpc */ function add() {}, without `export`  →  RPC110: a function marked @rpc is not exported
import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { rpcTag } from '../../doc-comments/index.js'
import type { OverloadDocs } from '../../model/model.js'
import {
  commentBefore,
  docCommentsOf,
  isMarked,
  markedComment,
  nodeAfter,
  type PlacedComment,
} from '../comments/comments.js'
import type { Reexport } from '../comments/module-tags.js'
import { callSignatures, type DeclaredNode, exportsOf, overloadsOf } from '../program/checker.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isInstalled } from '../program/sources.js'

/** An exported function that is marked `@rpc` or registered by hand, with its compiler objects. */
export interface Declaration {
  readonly node: DeclaredNode
  readonly comment: PlacedComment
  /** Of an overloaded function, the docs of each signature that has any. */
  readonly overloadDocs?: readonly (OverloadDocs | undefined)[]
  /** The module to import it from, and its name there. */
  readonly module: ts.SourceFile
  readonly exportName: string
  /** The package to import it from, if it is not a module of the user. */
  readonly packageName?: string
  /** The static method, if the export is its class. */
  readonly member?: string
  /** True if it is marked `@rpc`, and so in the generated `procedures`; else it is served only where it is registered. */
  readonly served: boolean
  /** True if it is registered by hand, each time with an auth of the call or of the level. */
  readonly guarded?: boolean
  /** The parameter that a registration passes the context to. */
  readonly contextTarget?: string
}

/** The result of the search for marked declarations. */
interface Marked {
  readonly declarations: readonly Declaration[]
  readonly reexports: readonly Reexport[]
  /** The comments of all marked declarations, also of those that cannot be called, which were reported. */
  readonly comments: readonly PlacedComment[]
}

/**
 * Finds the exported and marked declarations of a source, and reports marked ones that cannot be called. Every marked declaration is
 * either a procedure or an error, because a tag that is silently ignored is the worst case.
 */
export function findDeclarations(source: ts.SourceFile, project: OpenProject): Marked {
  const { checker, program, files, problems } = project
  const found = new Map<ts.Node, Declaration | undefined>()
  const comments = new Set<PlacedComment>()
  const reexports: Reexport[] = []
  const names = new Map<ts.SourceFile, ExportedNames>()
  for (const [exportName, symbol] of exportsOf(source, checker)) {
    const node = documentedNode(symbol)
    const comment = node && markedComment(node)
    const module = node?.getSourceFile()
    if (!module || !comment || found.has(node) || !isMarked(comment)) continue
    if (isInstalled(module)) {
      reportInstalled(source, exportName, problems)
      continue
    }
    if (module !== source) reexports.push({ name: exportName, comment })
    // A declaration of another source is analysed with that one.
    if (module !== source && files.has(module.fileName)) continue
    // A package of the workspace is imported as the user imports it: its files may be elsewhere when the program runs.
    const isLinked = program.isSourceFileFromExternalLibrary(module)
    const inModule = names.get(module) ?? (isLinked ? new Map() : exportedNames(module, checker))
    names.set(module, inModule)
    const reexport = { module: source, exportName }
    found.set(node, declarationAt(node, comment, inModule.get(node) ?? [], reexport, project))
    comments.add(comment)
  }
  const declarations = [...found.values()].filter((each) => each !== undefined)
  for (const each of reportUnreachable(source, comments, (node) => found.has(node), problems)) comments.add(each)
  return { declarations, reexports, comments: [...comments] }
}

/** Reports a marked function of an installed package that a module exports by its name: `@rpc` of others has no effect. */
function reportInstalled(source: ts.SourceFile, name: string, problems: Problems): void {
  const named = source.statements.flatMap((each) =>
    ts.isExportDeclaration(each) && each.exportClause && ts.isNamedExports(each.exportClause)
      ? each.exportClause.elements.filter((element) => element.name.text === name)
      : [],
  )
  const message = `${name} is marked @rpc, but it is a function of an installed package`
  const hint = 'export a function that calls it, and mark that'
  for (const each of named) problems.at(each, 'RPC110', message, { hint })
}

/** Returns the marked declaration of several, as of an overloaded function. */
function documentedNode({ declarations = [], valueDeclaration }: ts.Symbol): ts.Node | undefined {
  const marked = declarations.length > 1 ? declarations.find(markedComment) : undefined
  return marked ?? valueDeclaration ?? declarations[0]
}

/** The names by which a module exports its declarations. */
type ExportedNames = ReadonlyMap<ts.Node, readonly string[]>

function exportedNames(module: ts.SourceFile, checker: ts.TypeChecker): ExportedNames {
  const names = new Map<ts.Node, string[]>()
  for (const [name, { declarations = [] }] of exportsOf(module, checker))
    for (const each of declarations) names.set(each, [...(names.get(each) ?? []), name])
  return names
}

type NamedExport = Pick<Declaration, 'module' | 'exportName'>

/** `names` are those of the declaring module: it is imported from there if it can, because a re-export is the same procedure. */
function declarationAt(
  node: ts.Node,
  comment: PlacedComment,
  names: readonly string[],
  reexport: NamedExport,
  { checker, problems }: OpenProject,
): Declaration | undefined {
  const isFunction = isFunctionLike(node, checker)
  if (isFunction && !isDeclaredOnly(node)) {
    const named = names.filter((name) => name !== 'default')
    const [exportName = names[0]] = named
    if (!ts.isExportAssignment(node) && exportName !== node.name?.getText() && rpcTag(comment.doc).name === undefined)
      reportSeveralNames(node, named, problems)
    const own = exportName === undefined ? reexport : { module: node.getSourceFile(), exportName }
    return { node, comment, served: true, ...own }
  }
  const [why, hint] = isFunction
    ? onlyDeclared
    : isCommonJs(node.getSourceFile())
      ? notDeclaredInCommonJs
      : notAFunction
  problems.at(node, 'RPC111', `${reexport.exportName} is marked @rpc, but it is ${why}`, { hint })
  return undefined
}

/** The supported forms of CommonJS exports: those that an import by name finds and that TypeScript resolves to a declaration. */
const commonJsHint = 'declare the function and write exports.add = add, or make it an ES module: export function add'

/** True if a script exports with `exports` or `module.exports`. */
function isCommonJs(source: ts.SourceFile): boolean {
  const { commonJsModuleIndicator } = source as ts.SourceFile & { readonly commonJsModuleIndicator?: ts.Node }
  return commonJsModuleIndicator !== undefined
}

// Why a marked declaration cannot be called, and what to do.
const onlyDeclared = [
  'only declared: the function does not exist at run time',
  'give it a body, or drop the tag',
] as const
const notDeclaredInCommonJs = ['not a function with its own declaration', commonJsHint] as const
const notAFunction = ['not a function', 'mark an exported function, or an exported constant that contains one'] as const

function isFunctionLike(node: ts.Node, checker: ts.TypeChecker): node is Exclude<DeclaredNode, ts.MethodDeclaration> {
  if (ts.isFunctionDeclaration(node)) return true
  if (!ts.isVariableDeclaration(node) && !(ts.isExportAssignment(node) && !node.isExportEquals)) return false
  return callSignatures(node, checker).length > 0
}

/** True if a source declares a function without implementing it, as `export declare function` does. */
function isDeclaredOnly(node: Exclude<DeclaredNode, ts.MethodDeclaration>): boolean {
  if (node.getSourceFile().isDeclarationFile) return false
  if (ts.isFunctionDeclaration(node))
    return !overloadsOf(node).some((each) => ts.isFunctionDeclaration(each) && each.body)
  return Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient)
}

/** Reports a function that is exported by several names other than its own: none of them is the obvious one for callers. */
function reportSeveralNames(node: ts.Node, names: readonly string[], problems: Problems): void {
  if (names.length < 2) return
  const message = `one function is exported as ${names.join(' and as ')}: only one of them would be served`
  const hint = `name one of them in its tag: @rpc ${names[0]}; for a second one export a function that calls it`
  problems.at(node, 'RPC130', message, { hint })
}

/** Compares procedures by file, then by position. */
export function compareBySource(a: Declaration, b: Declaration): number {
  const [one, other] = [a.node.getSourceFile().fileName, b.node.getSourceFile().fileName]
  return one === other ? a.node.pos - b.node.pos : one < other ? -1 : 1
}

/** Reports what is marked and not an exported function. Returns the comments. */
function reportUnreachable(
  source: ts.SourceFile,
  known: ReadonlySet<PlacedComment>,
  isFound: (node: ts.Node) => boolean,
  problems: Problems,
): PlacedComment[] {
  const starts = new Set([...known].flatMap((each) => (each.source === source ? [each.start] : [])))
  const others = docCommentsOf(source, (text, start) => text.includes('@rpc') && !starts.has(start)).filter(isMarked)
  return others.filter((comment) => {
    const node = nodeAfter(source, comment.start + comment.text.length)
    if (ts.isToken(node) || commentBefore(node)?.start !== comment.start) return false
    const [code, message, hint] = overloadsOf(node).some(isFound) ? markedTwice : whyUnreachable(node)
    problems.at(ts.isVariableStatement(node) ? firstDeclaration(node) : node, code, message, { hint })
    return true
  })
}

type Reason = readonly [code: DiagnosticCode, message: string, hint: string]

const markedTwice: Reason = [
  'RPC130',
  'two signatures of one function are marked @rpc: its overloads are one procedure',
  'keep the tag before one of them',
]

function whyUnreachable(node: ts.Node): Reason {
  const isFunction =
    ts.isFunctionDeclaration(node) || (ts.isVariableStatement(node) && ts.isIdentifier(firstDeclaration(node).name))
  if (!isFunction) return ['RPC111', 'a declaration marked @rpc is not an exported function', notAFunction[1]]
  const source = node.getSourceFile()
  if (source.statements.some((each) => ts.isExportAssignment(each) && each.isExportEquals))
    return ['RPC110', 'a function is marked @rpc, but `export =` does not export it by name', exportEqualsHint]
  const hint = isCommonJs(source) ? commonJsHint : 'export it from the module itself, or drop the tag'
  return ['RPC110', 'a function is marked @rpc, but its module does not export it', hint]
}

const exportEqualsHint = 'write export before the function, also in a CommonJS module, and remove `export =`'

function firstDeclaration({ declarationList }: ts.VariableStatement): ts.VariableDeclaration {
  return declarationList.declarations[0] as ts.VariableDeclaration
}

/**
 * Reports modules that Node cannot import: in the URL of a module `#` and `?` end the path, `%` begins an escape, and tabs and line
 * breaks are dropped.
 */
export function checkPaths(declarations: readonly Declaration[], { moduleOf, problems }: OpenProject): void {
  const own = declarations.filter(({ packageName }) => packageName === undefined)
  for (const module of new Set(own.map((each) => each.module))) {
    const [found] = /[#%?\t\n\r]/.exec(moduleOf(module)) ?? []
    if (found === undefined) continue
    const message = `the generated file cannot import a module with ${found} in its path`
    problems.at(module, 'RPC113', message, { hint: 'rename the file or the folder' })
  }
}

/**
 * Reports modules that export a function called `then`: `import()` treats such a module as a promise and calls the
 * function. The generated module imports it statically, but loaders such as that of Vite turn that into `import()`.
 */
export function checkThenable(declarations: readonly Declaration[], { checker, problems }: OpenProject): void {
  for (const module of new Set(declarations.map((each) => each.module))) {
    const [, symbol] = exportsOf(module, checker).find(([name]) => name === 'then') ?? []
    const at = symbol?.valueDeclaration
    if (!at || checker.getTypeOfSymbolAtLocation(symbol, at).getCallSignatures().length === 0) continue
    const message = 'import() treats a module that exports a function called then as a promise'
    const hint = 'export it by another name: @rpc then makes that the name of the procedure'
    problems.at(at, 'RPC113', message, { hint })
  }
}
