import { ts } from 'ts-morph'
import { rpcTag } from '../docs/index.js'
import { commentBefore, isMarked, markedComment, mayHaveComment, type PlacedComment } from './comments/comments.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import { commonJsHint, isCommonJs } from './project/sources.js'

/** Declarations that can be a procedure; a method must be static. */
export type DeclaredNode =
  | ts.FunctionDeclaration
  | ts.VariableDeclaration
  | ts.MethodDeclaration
  /** `export default (a: number) => a` */
  | ts.ExportAssignment

/** An exported function that is marked `@rpc` or registered by hand, with its compiler objects. */
export interface Declaration {
  readonly node: DeclaredNode
  readonly comment: PlacedComment
  /** The module to import it from, and its name there. */
  readonly module: ts.SourceFile
  readonly exportName: string
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
export interface Marked {
  readonly declarations: Declaration[]
  /** The comments of marked declarations that cannot be called, which were reported. */
  readonly rejected: readonly PlacedComment[]
}

/** Finds exported and marked declarations; reports marked ones that cannot be called. */
export function findDeclarations({ checker, sources, program, files }: OpenProject, problems: Problems): Marked {
  const found = new Map<ts.Node, Declaration>()
  const rejected = new Set<ts.Node>()
  for (const source of sources) {
    for (const [exportName, symbol] of exportsOf(source, checker)) {
      const node = documentedNode(symbol)
      if (
        !node ||
        found.has(node) ||
        rejected.has(node) ||
        // A declaration of another source, which is analysed by itself.
        (node.getSourceFile() !== source && files.has(node.getSourceFile().fileName)) ||
        program.isSourceFileFromExternalLibrary(node.getSourceFile())
      )
        continue
      const declaration = declarationOf(node, source, exportName, checker, problems)
      if (declaration === 'rejected') rejected.add(node)
      else if (declaration) found.set(node, declaration)
    }
  }
  const declarations = [...found.values()]
  const comments = declarations.map(({ comment }) => comment)
  const unreachable = sources.flatMap((source) => {
    if (!hasOtherMarks(source, comments)) return []
    return reportUnreachable(source, (node) => found.has(node) || rejected.has(node), problems)
  })
  return { declarations, rejected: [...[...rejected].flatMap((node) => markedComment(node) ?? []), ...unreachable] }
}

/** Returns the marked declaration of several, as of an overloaded function. */
function documentedNode({ declarations = [], valueDeclaration }: ts.Symbol): ts.Node | undefined {
  const marked = declarations.length > 1 ? declarations.find(markedComment) : undefined
  return marked ?? valueDeclaration ?? declarations[0]
}

/** Returns the exports of a module by name. */
export function exportsOf(source: ts.SourceFile, checker: ts.TypeChecker): [string, ts.Symbol][] {
  const module = checker.getSymbolAtLocation(source)
  if (!module) return []
  return checker.getExportsOfModule(module).map((symbol) => [symbol.name, unaliased(symbol, checker)])
}

/** Returns the symbol that an import or a re-export refers to. */
export function unaliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function declarationOf(
  node: ts.Node,
  source: ts.SourceFile,
  exportName: string,
  checker: ts.TypeChecker,
  problems: Problems,
): Declaration | 'rejected' | undefined {
  if (!node.getSourceFile().text.includes('@rpc')) return undefined
  const comment = markedComment(node)
  if (!comment || !isMarked(comment)) return undefined
  const isFunction = isFunctionLike(node, checker)
  if (isFunction && !isDeclaredOnly(node)) {
    const own = ownExport(node, source, exportName, checker)
    reportSeveral(node, own, comment, checker, problems)
    return { node, comment, served: true, ...own }
  }
  const [why, hint] = isFunction ? onlyDeclared : isCommonJs(node.getSourceFile()) ? noneOfCommonJs : noFunction
  problems.at(node, 'RPC111', `${exportName} is marked @rpc, but it is ${why}`, { hint })
  return 'rejected'
}

// Why a marked declaration cannot be called, and what to do.
const onlyDeclared = [
  'only declared: the function does not exist at run time',
  'give it a body, or drop the tag',
] as const
const noneOfCommonJs = ['not a function with its own declaration', commonJsHint] as const
const noFunction = ['not a function', 'mark an exported function, or an exported constant that contains one'] as const

function isFunctionLike(node: ts.Node, checker: ts.TypeChecker): node is Exclude<DeclaredNode, ts.MethodDeclaration> {
  if (ts.isFunctionDeclaration(node)) return true
  if (!ts.isVariableDeclaration(node) && !(ts.isExportAssignment(node) && !node.isExportEquals)) return false
  return callSignatures(node, checker).length > 0
}

/** Returns the call signatures of a declaration; for a default export those of its expression. */
export function callSignatures(node: DeclaredNode, checker: ts.TypeChecker): readonly ts.Signature[] {
  return checker.getTypeAtLocation(ts.isExportAssignment(node) ? node.expression : node).getCallSignatures()
}

/** True if a source declares a function without implementing it, as `export declare function` does. */
function isDeclaredOnly(node: Exclude<DeclaredNode, ts.MethodDeclaration>): boolean {
  if (node.getSourceFile().isDeclarationFile) return false
  if (ts.isFunctionDeclaration(node))
    return !overloadsOf(node).some((each) => ts.isFunctionDeclaration(each) && each.body)
  return Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient)
}

const exportedNames = new WeakMap<ts.TypeChecker, Map<ts.SourceFile, ReadonlyMap<ts.Node, readonly string[]>>>()

/** Returns the names by which a module exports a declaration. All exports of a module are read once. */
function namesOf(node: ts.Node, module: ts.SourceFile, checker: ts.TypeChecker): readonly string[] {
  const byModule = exportedNames.get(checker) ?? new Map<ts.SourceFile, ReadonlyMap<ts.Node, readonly string[]>>()
  exportedNames.set(checker, byModule)
  const names = byModule.get(module) ?? namesByNode(module, checker)
  byModule.set(module, names)
  return names.get(node) ?? []
}

function namesByNode(module: ts.SourceFile, checker: ts.TypeChecker): ReadonlyMap<ts.Node, readonly string[]> {
  const names = new Map<ts.Node, readonly string[]>()
  for (const [name, { declarations = [] }] of exportsOf(module, checker))
    for (const each of declarations) names.set(each, [...(names.get(each) ?? []), name])
  return names
}

/** Returns the export of the declaring module, if there is one: a re-export elsewhere is the same procedure. */
function ownExport(
  node: ts.Node,
  source: ts.SourceFile,
  exportName: string,
  checker: ts.TypeChecker,
): Pick<Declaration, 'module' | 'exportName'> {
  const own = node.getSourceFile()
  const names = namesOf(node, own, checker)
  const [first] = names
  if (first === undefined) return { module: source, exportName }
  return { module: own, exportName: names.find((name) => name !== 'default') ?? first }
}

/** Reports a function that is exported by several names other than its own: none of them is the obvious one for callers. */
function reportSeveral(
  node: Exclude<DeclaredNode, ts.MethodDeclaration>,
  { module, exportName }: Pick<Declaration, 'module' | 'exportName'>,
  { doc }: PlacedComment,
  checker: ts.TypeChecker,
  problems: Problems,
): void {
  if (ts.isExportAssignment(node) || exportName === node.name?.getText() || rpcTag(doc).name !== undefined) return
  const names = namesOf(node, module, checker).filter((name) => name !== 'default')
  if (names.length < 2) return
  problems.at(
    node,
    'RPC130',
    `one function is exported as ${names.join(' and as ')}: only one of them would be served`,
    {
      hint: `name one of them in its tag: @rpc ${exportName}; for a second one export a function that calls it`,
    },
  )
}

/** Compares procedures by file, then by position. */
export function bySource(a: Declaration, b: Declaration): number {
  const [one, other] = [a.node.getSourceFile().fileName, b.node.getSourceFile().fileName]
  return one === other ? a.node.pos - b.node.pos : one < other ? -1 : 1
}

/** True if a source may have `@rpc` in comments other than those of found declarations, so that it has to be searched. */
function hasOtherMarks({ text, fileName }: ts.SourceFile, found: readonly PlacedComment[]): boolean {
  const known = new Set(found.filter(({ source }) => source.fileName === fileName).map(({ start }) => start))
  return text.includes('@rpc') && mayHaveComment(text, (each, start) => each.includes('@rpc') && !known.has(start))
}

/**
 * Every marked declaration is either a procedure or an error, because a tag that is silently ignored is the worst case. Returns
 * the comments of the declarations that were reported.
 */
function reportUnreachable(
  source: ts.SourceFile,
  isKnown: (node: ts.Node) => boolean,
  problems: Problems,
): PlacedComment[] {
  const reported: PlacedComment[] = []
  const visit = (node: ts.Node): void => {
    for (const declared of declaredBy(node)) {
      const comment = isKnown(declared) ? undefined : commentOf(declared, node)
      if (!comment || !isMarked(comment)) continue
      reported.push(comment)
      if (overloadsOf(declared).some(isKnown)) reportTwice(declared, problems)
      else reportMarked(declared, problems)
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return reported
}

/** At the top of a module a comment is on separate lines; members and declarations in a block may share its line. */
function commentOf(declared: ts.Node, statement: ts.Node): PlacedComment | undefined {
  if (ts.isSourceFile(statement.parent)) return markedComment(declared)
  const comment = commentBefore(statement)
  return comment?.text.includes('@rpc') ? comment : undefined
}

function declaredBy(node: ts.Node): readonly ts.Node[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.slice(0, 1)
  const documented =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isClassElement(node) || ts.isTypeElement(node)
  const other = ts.isObjectLiteralElement(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)
  const member = ts.isEnumMember(node) || ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)
  return documented || other || member || ts.isExportAssignment(node) || ts.isExportDeclaration(node) ? [node] : []
}

/** Returns all declarations of the function that a declaration belongs to. */
function overloadsOf(node: ts.Node): readonly ts.Node[] {
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  return ts.isFunctionDeclaration(node) ? (symbol?.declarations ?? []) : []
}

function reportTwice(node: ts.Node, problems: Problems): void {
  problems.at(node, 'RPC130', 'two signatures of one function are marked @rpc: its overloads are one procedure', {
    hint: 'keep the tag before one of them',
  })
}

function reportMarked(node: ts.Node, problems: Problems): void {
  if (ts.isVariableDeclaration(node) && !ts.isIdentifier(node.name)) {
    problems.at(node, 'RPC111', 'a declaration marked @rpc is destructured into several constants', {
      hint: 'export a constant that contains one function, and mark that',
    })
    return
  }
  if (!ts.isFunctionDeclaration(node) && !ts.isVariableDeclaration(node)) {
    problems.at(node, 'RPC111', 'a declaration marked @rpc is not an exported function', {
      hint: 'mark an exported function, or an exported constant that contains one',
    })
  } else if (isCommonJs(node.getSourceFile())) {
    problems.at(node, 'RPC110', 'a function is marked @rpc, but this CommonJS module does not export it', {
      hint: commonJsHint,
    })
  } else if (isInNamespace(node)) {
    problems.at(node, 'RPC110', 'a member of a namespace is marked @rpc, but it is not an export of the module', {
      hint: 'export a function of the module itself, and mark that',
    })
  } else {
    problems.at(node, 'RPC110', 'a function is marked @rpc, but it is not exported', {
      hint: 'export it, or drop the tag',
    })
  }
}

function isInNamespace(node: ts.FunctionDeclaration | ts.VariableDeclaration): boolean {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return ts.isModuleBlock(statement.parent)
}

/**
 * Reports modules that export a function called `then`: `import()` treats such a module as a promise and calls the
 * function. The generated module imports it statically, but loaders such as that of Vite turn that into `import()`.
 */
export function checkThenable(declarations: readonly Declaration[], checker: ts.TypeChecker, problems: Problems): void {
  for (const module of new Set(declarations.map((each) => each.module))) {
    const [, symbol] = exportsOf(module, checker).find(([name]) => name === 'then') ?? []
    const at = symbol?.valueDeclaration
    if (!at || checker.getTypeOfSymbolAtLocation(symbol, at).getCallSignatures().length === 0) continue
    const message = 'import() treats a module that exports a function called then as a promise'
    problems.at(at, 'RPC113', message, {
      hint: 'export it by another name: @rpc then makes that the name of the procedure',
    })
  }
}

/** Returns the function expression that a constant is initialised with. */
export function ownFunction(node: ts.Node): ts.SignatureDeclaration | undefined {
  const value = valueIn(node)
  return value && isFunction(value) ? value : undefined
}

/** Removes casts and parentheses around the expression of a constant or a default export. */
function valueIn(node: ts.Node): ts.Expression | undefined {
  const value = ts.isVariableDeclaration(node)
    ? node.initializer
    : ts.isExportAssignment(node)
      ? node.expression
      : undefined
  return value && bareExpression(value)
}

function bareExpression(node: ts.Expression): ts.Expression {
  const isTyped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node)
  return isTyped || ts.isParenthesizedExpression(node) ? bareExpression(node.expression) : node
}

function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}

/**
 * Returns the nodes in which constraint tags of a procedure may be written: its declarations, the parameters of its
 * implementation, and those of the functions that it consists of. The parameters in its type may be declared elsewhere.
 */
export function placesOf(node: DeclaredNode, checker: ts.TypeChecker): readonly ts.Node[] {
  const declarations = [node, ...overloadsOf(node)]
  const parameters = declarations.flatMap((each) => (ts.isFunctionLike(each) ? each.parameters : []))
  const value = valueIn(node)
  return [...new Set<ts.Node>([...declarations, ...parameters, ...(value ? parametersIn(value, checker) : [])])]
}

/** The parameters of functions that an expression contains or names, not of those inside them. */
function parametersIn(value: ts.Node, checker: ts.TypeChecker): readonly ts.Node[] {
  if (isFunction(value)) return value.parameters
  if (ts.isIdentifier(value)) return parametersOf(checker.getSymbolAtLocation(value), checker)
  const found: ts.Node[] = []
  ts.forEachChild(value, (child) => {
    if (ts.isExpression(child)) found.push(...parametersIn(child, checker))
  })
  return found
}

function parametersOf(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): readonly ts.Node[] {
  const declarations = symbol ? (unaliased(symbol, checker).declarations ?? []) : []
  return declarations
    .flatMap((each) => (ts.isFunctionDeclaration(each) ? each : (ownFunction(each) ?? [])))
    .flatMap(({ parameters }) => [...parameters])
}
