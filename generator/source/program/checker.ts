// Queries to the compiler that several directories need: about types, declarations, and what a name in a source or in a comment refers to:
//
//   literalValueOf(the type 'draft')  →  'draft'; 'errors.Gone' in a comment of orders.ts  →  the symbol of the class Gone
import { ts } from 'ts-morph'
import type { Declared } from '../../model/model.js'
import type { OpenProject } from './project.js'
import { isOfPackage } from './sources.js'

/** The flags of strings, numbers, bigints and booleans, literals among them. */
export const primitiveFlags =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

/** The flags of types with members. */
export const objectLikeFlags = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** Members of a symbol that the checker makes and does not declare. */
interface SymbolLinks {
  readonly syntheticOrigin?: ts.Symbol
  readonly target?: ts.Symbol
  readonly containingType?: ts.UnionOrIntersectionType
  readonly mappedType?: ts.Type & { readonly declaration?: ts.MappedTypeNode }
  /** The label of a tuple's element. */
  readonly tupleLabelDeclaration?: TupleLabel
  /** The key of the member. */
  readonly nameType?: ts.Type
  /** The key of a mapped type's origin that the member is made of. */
  readonly keyType?: ts.Type
}

export function symbolLinks(symbol: ts.Symbol): SymbolLinks {
  return (symbol as ts.Symbol & { readonly links?: SymbolLinks }).links ?? {}
}

/** Returns the declarations of a member. If a mapped type renames it with `as`, they are those of its origin. */
export function declarationsOfMember(property: ts.Symbol): readonly ts.Declaration[] {
  return property.declarations ?? symbolLinks(property).syntheticOrigin?.declarations ?? []
}

/** Returns the symbol that a written type refers to by name. */
export function referenced(node: ts.TypeNode, checker: ts.TypeChecker): ts.Symbol | undefined {
  const named = ts.isTypeQueryNode(node) ? node.exprName : undefined
  const name = ts.isImportTypeNode(node) ? node.qualifier : ts.isTypeReferenceNode(node) ? node.typeName : named
  return name && symbolNamed(name, checker)
}

/** The node that names an element of a tuple: a label, or a parameter of a function. */
export type TupleLabel = ts.NamedTupleMember | ts.ParameterDeclaration

export function labelAt(tuple: ts.Type, index: number): TupleLabel | undefined {
  return ((tuple as ts.TypeReference).target as ts.TupleType).labeledElementDeclarations?.[index]
}

/** True if the members of a mapped type depend on the key: `{ [K in keyof T]?: string }` gives each one a new type. */
export function usesKey({ type, typeParameter: { name } }: ts.MappedTypeNode): boolean {
  return type !== undefined && contains(type, (node) => ts.isIdentifier(node) && node.text === name.text)
}

/** True if a test is true for a node, or for one in it. */
export function contains(node: ts.Node, isFound: (node: ts.Node) => boolean): boolean {
  return isFound(node) || (ts.forEachChild(node, (each) => contains(each, isFound)) ?? false)
}

/** Returns the value of a literal type; undefined for any other type. */
export function literalValueOf(type: ts.Type, checker: ts.TypeChecker): string | number | boolean | bigint | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const { negative, base10Value } = (type as ts.BigIntLiteralType).value
    return BigInt(`${negative ? '-' : ''}${base10Value}`)
  }
  return type.flags & ts.TypeFlags.BooleanLiteral ? checker.isTypeAssignableTo(type, checker.getTrueType()) : undefined
}

/** `NoInfer<T>` is T: it only affects the inference of type arguments. */
export function withoutNoInfer(type: ts.Type): ts.Type {
  if (type.flags & ts.TypeFlags.Substitution) return withoutNoInfer((type as ts.SubstitutionType).baseType)
  return type
}

/** Returns the type of a member; undefined without such a member. */
export function memberTypeOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const member = checker.getPropertyOfType(type, name)
  return member && checker.getTypeOfSymbol(member)
}

/** True for a name that is the text of a number, such as that of an element: `0`. */
export function isNumericName(name: string): boolean {
  return String(Number(name)) === name
}

/** True for a type of functions or of classes. */
export function isFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0
}

/** Returns a type as TypeScript writes it, without the paths of modules. */
export function textOfType(type: ts.Type, checker: ts.TypeChecker, flags?: ts.TypeFormatFlags): string {
  return withoutImports(checker.typeToString(type, undefined, flags))
}

/** `Order` of `import("/src/orders").Order`. */
export function withoutImports(text: string): string {
  return text.replace(/import\("[^"]*"\)\./g, '')
}

/** True for an array or a tuple. Reading the members of one would make the types of all its methods. */
export function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type)
}

/** True for the checker's type of something unresolved or circular, which looks like `any`. */
export function isErrorType(type: ts.Type): boolean {
  const { intrinsicName } = type as ts.Type & { intrinsicName?: string }
  return Boolean(type.flags & ts.TypeFlags.Any) && intrinsicName === 'error'
}

/** Returns the type annotation of a declaration. */
export function typeNodeOf(node: ts.Node): ts.TypeNode | undefined {
  if (ts.isJSDocPropertyTag(node)) return node.typeExpression?.type
  const typed =
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isGetAccessor(node)
  // A type in a comment applies to the declaration, not to nodes inside of the comment.
  const isCommented = isJavaScript(node) && !(node.flags & ts.NodeFlags.JSDoc)
  return typed ? (node.type ?? (isCommented ? ts.getJSDocType(node) : undefined)) : undefined
}

/** Returns the annotation of a function's result. */
export function writtenResult(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isFunctionLike(declaration)) return undefined
  return declaration.type ?? (isJavaScript(declaration) ? ts.getJSDocReturnType(declaration) : undefined)
}

/** True if a parameter or a member has neither a type nor a value to infer it from. */
export function lacksType(node: ts.ParameterDeclaration | ts.PropertySignature | ts.PropertyDeclaration): boolean {
  return !typeNodeOf(node) && isUntypedValue((node as ts.ParameterDeclaration).initializer)
}

/** True if no type can be inferred from a value, such as `[]`. */
export function isUntypedValue(value: ts.Expression | undefined): boolean {
  if (!value) return true
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  return value.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(value) && value.text === 'undefined')
}

/** True if a type is `any`, or a list of it. */
export function isAnyOrAnyArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  const inside = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : type
  return Boolean(inside && inside.flags & ts.TypeFlags.Any)
}

/** JavaScript declares its types in comments. */
function isJavaScript({ flags }: ts.Node): boolean {
  return Boolean(flags & ts.NodeFlags.JavaScriptFile)
}

/** Declarations that can be a procedure; a method must be static. */
export type DeclaredNode =
  | ts.FunctionDeclaration
  | ts.VariableDeclaration
  | ts.MethodDeclaration
  /** `export default (a: number) => a` */
  | ts.ExportAssignment

/** Returns the exports of a module by name, without those that `export type { … }` and `export type *` make types, unless `hasTypes`. */
export function exportsOf(source: ts.SourceFile, checker: ts.TypeChecker, hasTypes = false): [string, ts.Symbol][] {
  const module = checker.getSymbolAtLocation(source)
  if (!module) return []
  // Not in TypeScript's declarations.
  const { getTypeOnlyAliasDeclaration } = checker as unknown as {
    getTypeOnlyAliasDeclaration(symbol: ts.Symbol): ts.Node | undefined
  }
  const names = hasTypes ? undefined : new Set(valueNames(module, checker))
  const isValue = (symbol: ts.Symbol) => names?.has(symbol.name) && !getTypeOnlyAliasDeclaration(symbol)
  const found = checker.getExportsOfModule(module).filter((symbol) => hasTypes || isValue(symbol))
  return found.map((symbol) => [symbol.name, unaliased(symbol, checker)])
}

/** Returns the names that a module exports, without those that only `export type *` exports. */
function valueNames(module: ts.Symbol, checker: ts.TypeChecker, seen = new Set<ts.Symbol>()): readonly string[] {
  const stars = module.exports?.get(ts.InternalSymbolName.ExportStar)?.declarations?.filter(ts.isExportDeclaration)
  if (!stars) return checker.getExportsOfModule(module).map(({ name }) => name)
  seen.add(module)
  const values = stars.flatMap(({ isTypeOnly, moduleSpecifier }) => {
    const inner = !isTypeOnly && moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier)
    return inner && !seen.has(inner) ? valueNames(inner, checker, seen) : []
  })
  return [...Array.from(module.exports?.values() ?? [], ({ name }) => name), ...values]
}

/** Returns the symbol that an import or a re-export refers to. */
export function unaliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Returns the symbol that a name in the code refers to, also through imports. */
export function symbolNamed(name: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker)
}

/** Returns where the user's module exports a value, or with `isType` a type; undefined for one of a package, or one that is not exported. */
export function exportOf(symbol: ts.Symbol, project: OpenProject, isType = false): Declared | undefined {
  const { checker, program, moduleOf } = project
  const source = symbol.declarations?.[0]?.getSourceFile()
  if (!source || isOfPackage(source, project) || program.isSourceFileDefaultLibrary(source)) return undefined
  const [name] = exportsOf(source, checker, isType).find(([, each]) => each === symbol) ?? []
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

/** Returns the function expression that a constant or a default export is initialised with. */
export function ownFunction(node: ts.Node): ts.ArrowFunction | ts.FunctionExpression | undefined {
  if (!ts.isVariableDeclaration(node) && !ts.isExportAssignment(node)) return undefined
  const initial = ts.isVariableDeclaration(node) ? node.initializer : node.expression
  const value = initial && bareExpression(initial)
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined
}

/** Returns an expression without casts and parentheses around it; any other node itself. */
export function bareExpression(node: ts.Node): ts.Node {
  const isTyped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node)
  return isTyped || ts.isParenthesizedExpression(node) ? bareExpression(node.expression) : node
}
