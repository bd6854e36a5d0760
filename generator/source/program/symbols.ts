// Queries about names: what a module exports, and what a name in a source or in a comment refers to:
//
//   'errors.Gone' in a comment of orders.ts  →  the symbol of the class Gone
import { ts } from 'ts-morph'
import type { Declared } from '../../model/model.js'
import type { OpenProject } from './project.js'
import { isOfPackage } from './sources.js'

/** Declarations that can be a procedure; a method must be static. */
export type DeclaredNode =
  | ts.FunctionDeclaration
  | ts.VariableDeclaration
  | ts.MethodDeclaration
  /** `export default (a: number) => a` */
  | ts.ExportAssignment

/** Returns the exports of a module by name, without those that `export type { … }` makes types. */
export function exportsOf(source: ts.SourceFile, checker: ts.TypeChecker): [string, ts.Symbol][] {
  const module = checker.getSymbolAtLocation(source)
  if (!module) return []
  // Not in TypeScript's declarations.
  const { getTypeOnlyAliasDeclaration } = checker as unknown as {
    getTypeOnlyAliasDeclaration(symbol: ts.Symbol): ts.Node | undefined
  }
  const values = checker.getExportsOfModule(module).filter((symbol) => !getTypeOnlyAliasDeclaration(symbol))
  return values.map((symbol) => [symbol.name, unaliased(symbol, checker)])
}

/** Returns the symbol that an import or a re-export refers to. */
export function unaliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Returns the first name by which a module exports a symbol; undefined if it does not. */
export function exportedName(symbol: ts.Symbol, source: ts.SourceFile, checker: ts.TypeChecker): string | undefined {
  const module = checker.getSymbolAtLocation(source)
  return module && checker.getExportsOfModule(module).find((each) => unaliased(each, checker) === symbol)?.name
}

/** Returns where the user's module exports a symbol; undefined for one of a package, or one that is not exported. */
export function exportOf(symbol: ts.Symbol, project: OpenProject): Declared | undefined {
  const { checker, program, moduleOf } = project
  const source = symbol.declarations?.[0]?.getSourceFile()
  if (!source || isOfPackage(source, project) || program.isSourceFileDefaultLibrary(source)) return undefined
  const name = exportedName(symbol, source, checker)
  return name === undefined ? undefined : { module: moduleOf(source), name }
}

/** Returns where a source imports a name from: a module of the user, or a package with its name. The name of `import * as` is `*`. */
export function importOf(
  name: string,
  source: ts.SourceFile,
  project: Pick<OpenProject, 'checker' | 'program'>,
): { readonly module: ts.SourceFile | string; readonly name: string } | undefined {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue
    const { name: own, namedBindings } = statement.importClause ?? {}
    const elements = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : []
    const element = elements.find((each) => each.name.text === name)
    const isWhole = namedBindings && ts.isNamespaceImport(namedBindings) && namedBindings.name.text === name
    const single = own?.text === name ? 'default' : element && (element.propertyName ?? element.name).text
    const imported = isWhole ? '*' : single
    if (imported === undefined) continue
    const module = project.checker.getSymbolAtLocation(statement.moduleSpecifier)?.valueDeclaration
    const isOfUser = module && ts.isSourceFile(module) && !isOfPackage(module, project)
    return { module: isOfUser ? module : statement.moduleSpecifier.text, name: imported }
  }
  return undefined
}

/** Returns the symbol of a name at the top of a source, which its comments refer to. */
export function symbolInScope(
  name: string,
  source: ts.SourceFile,
  meaning: ts.SymbolFlags,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  const symbol = nameInScope(name, source, meaning, checker)
  // The checker has two symbols for a local name and its export.
  return symbol && checker.getExportSymbolOfSymbol(unaliased(checker.getExportSymbolOfSymbol(symbol), checker))
}

/** The same without following imports: of an imported name it is the symbol of the import. */
export function nameInScope(
  name: string,
  source: ts.SourceFile,
  meaning: ts.SymbolFlags,
  checker: ts.TypeChecker,
): ts.Symbol | undefined {
  // In TypeScript's declarations only `getSymbolsInScope` is, which makes a list of all names.
  const { resolveName } = checker as unknown as {
    resolveName(name: string, at: ts.Node, meaning: ts.SymbolFlags, excludeGlobals: boolean): ts.Symbol | undefined
  }
  return resolveName(name, source, meaning | ts.SymbolFlags.Alias, false)
}

/** What a name may stand for: a type, a value or a namespace. */
export const anyMeaning = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Namespace

/** Returns the symbol of a dotted name, or of a name with `#` for a member, which a comment of the source at a node refers to. */
export function symbolAt(target: string, at: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const [first = '', ...members] = target.replace(/[()]|:\w+/g, '').split(/[.#~]/)
  let symbol = symbolInScope(first, at.getSourceFile(), anyMeaning, checker)
  for (const member of members) symbol = symbol && memberNamed(unaliased(symbol, checker), member, checker)
  return symbol && unaliased(symbol, checker)
}

function memberNamed(symbol: ts.Symbol, name: string, checker: ts.TypeChecker): ts.Symbol | undefined {
  const isModule = symbol.flags & ts.SymbolFlags.Module
  const exported = isModule
    ? checker.tryGetMemberInModuleExports(name, symbol)
    : symbol.exports?.get(ts.escapeLeadingUnderscores(name))
  const isType = symbol.flags & ts.SymbolFlags.Type
  return exported ?? (isType ? checker.getDeclaredTypeOfSymbol(symbol).getProperty(name) : undefined)
}

/** Returns the call signatures of a declaration; for a default export those of its expression. */
export function callSignatures(node: DeclaredNode, checker: ts.TypeChecker): readonly ts.Signature[] {
  return checker.getTypeAtLocation(ts.isExportAssignment(node) ? node.expression : node).getCallSignatures()
}

/** Returns all declarations of the function that a declaration belongs to. */
export function overloadsOf(node: ts.Node): readonly ts.Node[] {
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  return ts.isFunctionDeclaration(node) ? (symbol?.declarations ?? []) : []
}

/** True if a declaration has a modifier, such as `export`. */
export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && node.modifiers?.some((each) => each.kind === kind) === true
}

/** Returns the function expression that a constant is initialised with. */
export function ownFunction(node: ts.Node): ts.ArrowFunction | ts.FunctionExpression | undefined {
  const value = valueIn(node)
  return value && isFunctionExpression(value) ? value : undefined
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

function isFunctionExpression(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node)
}
