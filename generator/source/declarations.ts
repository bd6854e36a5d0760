import { ts } from 'ts-morph'
import { isMarked, markedComment, type PlacedComment } from './comments.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'

/** What can be a procedure; a method is a static one. */
export type DeclaredNode = ts.FunctionDeclaration | ts.VariableDeclaration | ts.MethodDeclaration

/** An exported function that is marked `@rpc` or registered by hand, with its compiler objects. */
export interface Declaration {
  readonly node: DeclaredNode
  readonly comment: PlacedComment
  /** The module to import it from, and the name it has there. */
  readonly module: ts.SourceFile
  readonly exportName: string
  /** The static method, where the export is its class. */
  readonly member?: string
  /** Marked `@rpc`, and so in the generated `procedures`; else it is served only where it was registered. */
  readonly served: boolean
  /** Registered by hand, everywhere with an auth of the call or of the level. */
  readonly guarded?: boolean
  /** The parameter that a registration says the context goes to. */
  readonly contextTarget?: string
}

/** Finds what the sources export and mark; reports what is marked and cannot be called. */
export function findDeclarations({ checker, sources, program, files }: OpenProject, problems: Problems): Declaration[] {
  const found = new Map<ts.Node, Declaration>()
  const refused = new Set<ts.Node>()
  for (const source of sources) {
    for (const [exportName, symbol] of exportsOf(source, checker)) {
      const node = documentedNode(symbol)
      if (
        !node ||
        found.has(node) ||
        refused.has(node) ||
        // Another source that is looked at by itself.
        (node.getSourceFile() !== source && files.has(node.getSourceFile().fileName)) ||
        program.isSourceFileFromExternalLibrary(node.getSourceFile())
      )
        continue
      const declaration = declarationOf(node, source, exportName, checker, problems)
      if (declaration === 'refused') refused.add(node)
      else if (declaration) found.set(node, declaration)
    }
  }
  for (const source of sources) {
    if (!hasOtherMarks(source, [...found.values()])) continue
    reportUnreachable(source, (node) => found.has(node) || refused.has(node), problems)
  }
  return [...found.values()]
}

/** Of several declarations, as of an overloaded function, the one that is marked. */
function documentedNode({ declarations = [], valueDeclaration }: ts.Symbol): ts.Node | undefined {
  const marked = declarations.length > 1 ? declarations.find(markedComment) : undefined
  return marked ?? valueDeclaration ?? declarations[0]
}

/** What a module exports, by name. */
export function exportsOf(source: ts.SourceFile, checker: ts.TypeChecker): [string, ts.Symbol][] {
  const module = checker.getSymbolAtLocation(source)
  if (!module) return []
  return checker.getExportsOfModule(module).map((symbol) => [symbol.name, unaliased(symbol, checker)])
}

/** What an import or a re-export stands for. */
export function unaliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

function declarationOf(
  node: ts.Node,
  source: ts.SourceFile,
  exportName: string,
  checker: ts.TypeChecker,
  problems: Problems,
): Declaration | 'refused' | undefined {
  if (!node.getSourceFile().text.includes('@rpc')) return undefined
  const comment = markedComment(node)
  if (!comment || !isMarked(comment)) return undefined
  if (!isFunctionLike(node, checker)) {
    problems.at(node, 'RPC111', `${exportName} is marked @rpc and is not a function`, {
      hint: 'mark an exported function, or an exported constant that holds one',
    })
    return 'refused'
  }
  return { node, comment, served: true, ...ownExport(node, source, exportName, checker) }
}

function isFunctionLike(
  node: ts.Node,
  checker: ts.TypeChecker,
): node is ts.FunctionDeclaration | ts.VariableDeclaration {
  if (ts.isFunctionDeclaration(node)) return true
  return ts.isVariableDeclaration(node) && checker.getTypeAtLocation(node).getCallSignatures().length > 0
}

/** The export of its own module, where it has one: a re-export elsewhere is the same procedure. */
function ownExport(
  node: ts.Node,
  source: ts.SourceFile,
  exportName: string,
  checker: ts.TypeChecker,
): Pick<Declaration, 'module' | 'exportName'> {
  const own = node.getSourceFile()
  const names = exportsOf(own, checker).flatMap(([name, symbol]) =>
    symbol.declarations?.includes(node as ts.Declaration) ? [name] : [],
  )
  const [first] = names
  if (first === undefined) return { module: source, exportName }
  return { module: own, exportName: names.find((name) => name !== 'default') ?? first }
}

/** Whether a source says `@rpc` elsewhere than in the comments of what was found: then all of it is looked through. */
function hasOtherMarks({ text, fileName }: ts.SourceFile, found: readonly Declaration[]): boolean {
  const own = found.filter(({ comment }) => comment.source.fileName === fileName)
  const known = new Set(own.map(({ comment }) => comment.start))
  for (let at = text.indexOf('@rpc'); at !== -1; at = text.indexOf('@rpc', at + 1)) {
    const start = text.lastIndexOf('/**', at)
    const end = text.indexOf('*/', start)
    if (!known.has(start) || end < at) return true
  }
  return false
}

/** A tag that is silently ignored is the worst case: everything marked is either a procedure or an error. */
function reportUnreachable(source: ts.SourceFile, isKnown: (node: ts.Node) => boolean, problems: Problems): void {
  if (!source.text.includes('@rpc')) return
  const visit = (node: ts.Node): void => {
    for (const declared of declaredBy(node)) {
      const comment = isKnown(declared) ? undefined : markedComment(declared)
      if (!comment || !isMarked(comment)) continue
      if (overloadsOf(declared).some(isKnown)) reportTwice(declared, problems)
      else reportMarked(declared, problems)
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
}

function declaredBy(node: ts.Node): readonly ts.Node[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.slice(0, 1)
  const documented =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isClassElement(node) || ts.isTypeElement(node)
  const other = ts.isObjectLiteralElement(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)
  return documented || other || ts.isExportAssignment(node) || ts.isExportDeclaration(node) ? [node] : []
}

/** All signatures of the function that a declaration is one of. */
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
    problems.at(node, 'RPC111', 'what is marked @rpc is taken apart into several constants', {
      hint: 'export a constant that holds one function, and mark that',
    })
    return
  }
  const topLevel = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)
  if (topLevel) {
    problems.at(node, 'RPC110', 'a function is marked @rpc and is not exported', { hint: 'export it, or drop the tag' })
  } else {
    problems.at(node, 'RPC111', 'what is marked @rpc is not an exported function', {
      hint: 'mark an exported function, or an exported constant that holds one',
    })
  }
}

/** The order of the procedures: by file, then by position. */
export function bySource(a: Declaration, b: Declaration): number {
  const [one, other] = [a.node.getSourceFile().fileName, b.node.getSourceFile().fileName]
  return one === other ? a.node.pos - b.node.pos : one < other ? -1 : 1
}
