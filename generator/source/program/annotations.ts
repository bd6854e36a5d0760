// What a declaration has as its type: the annotation, or what its value depends on:
//
//   const price = total(order)  →  depends on the annotation of the result of `total`
import { ts } from 'ts-morph'
import { unaliased } from './symbols.js'

/** The flags of strings, numbers, bigints and booleans, literals among them. */
export const primitive =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

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

/** The flags of types with members. */
export const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** Returns the annotation of a function's result. */
export function writtenResult(declaration: ts.Node | undefined): ts.TypeNode | undefined {
  if (!declaration || !ts.isFunctionLike(declaration)) return undefined
  return declaration.type ?? (isJavaScript(declaration) ? ts.getJSDocReturnType(declaration) : undefined)
}

/** Returns the expressions that a function returns. */
function returnedExpressions(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body]
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
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

/** What an inferred result depends on. */
export interface Dependencies {
  /** The annotations that it depends on: of results and variables, and type arguments. */
  readonly nodes: readonly ts.TypeNode[]
  /** True if it depends on a function or constant that depends on itself: the checker infers `any` for that. */
  readonly isCircular: boolean
  /** Parameters and members that it depends on and that have no type: the checker infers `any` for them too. */
  readonly untyped: readonly ts.Declaration[]
  /** The modules of `import()` that do not exist or have no types. */
  readonly missing: readonly ts.StringLiteralLike[]
  /** The imported names that it depends on and that refer to nothing. */
  readonly unknown: readonly ts.Symbol[]
}

export function dependenciesOf(declaration: ts.Node, checker: ts.TypeChecker): Dependencies {
  const [nodes, untyped, missing]: [ts.TypeNode[], ts.Declaration[], ts.StringLiteralLike[]] = [[], [], []]
  const unknown: ts.Symbol[] = []
  const seen = new Set<ts.Node>()
  const open = new Set<ts.Node>()
  let isCircular = false
  const follow = (declared: ts.Node): void => {
    isCircular ||= open.has(declared)
    if (seen.has(declared)) return
    seen.add(declared)
    const written = typeNodeOf(declared) ?? writtenResult(declared)
    if (written) {
      nodes.push(written)
      untyped.push(...untypedIn(written))
      return
    }
    if (isImplicitAny(declared, checker)) untyped.push(declared)
    open.add(declared)
    for (const value of valuesOf(declared)) visit(value)
    open.delete(declared)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) {
      nodes.push(node)
      return
    }
    const module = importedIn(node)
    if (module && !checker.getSymbolAtLocation(module)) missing.push(module)
    const symbol = ts.isIdentifier(node) ? symbolOfName(node, checker) : undefined
    const target = symbol && unaliased(symbol, checker)
    const declared = target?.valueDeclaration
    if (declared) follow(declared)
    else if (target && checker.isUnknownSymbol(target)) unknown.push(symbol)
    ts.forEachChild(node, visit)
  }
  follow(declaration)
  return { nodes, isCircular, untyped, missing, unknown }
}

/** The expressions that a declaration without annotation gets its type from. */
function valuesOf(node: ts.Node): readonly ts.Expression[] {
  const { body } = node as { readonly body?: ts.ConciseBody }
  if (ts.isFunctionLike(node)) return body ? returnedExpressions(body) : []
  const root = ts.isBindingElement(node) ? ts.walkUpBindingElementsAndPatterns(node) : node
  const hasValue = ts.isVariableDeclaration(root) || ts.isPropertyDeclaration(root) || ts.isPropertyAssignment(root)
  return hasValue && root.initializer ? [root.initializer] : []
}

/** Returns the symbol of a name; in `{ id }` that of the variable, not of the member. */
function symbolOfName(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const isShort = ts.isShorthandPropertyAssignment(node.parent)
  return isShort ? checker.getShorthandAssignmentValueSymbol(node.parent) : checker.getSymbolAtLocation(node)
}

/** The module of `import('…')`. */
function importedIn(node: ts.Node): ts.StringLiteralLike | undefined {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined
  const [module] = node.arguments
  return module && ts.isStringLiteralLike(module) ? module : undefined
}

function isImplicitAny(node: ts.Node, checker: ts.TypeChecker): node is ts.Declaration {
  const may = ts.isParameter(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)
  return may && lacksType(node) && Boolean(checker.getTypeAtLocation(node).flags & ts.TypeFlags.Any)
}

/** `{ [key: string] }` and `{ name }`. */
function untypedIn(node: ts.Node): ts.Declaration[] {
  const isOne = (ts.isIndexSignatureDeclaration(node) || ts.isPropertySignature(node)) && !node.type
  const found: ts.Declaration[] = isOne ? [node] : []
  ts.forEachChild(node, (child) => void found.push(...untypedIn(child)))
  return found
}

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
  const symbol = name && checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker)
}

/** The node that names an element of a tuple: a label, or a parameter of a function. */
export type TupleLabel = ts.NamedTupleMember | ts.ParameterDeclaration

export function labelAt(tuple: ts.Type, index: number): TupleLabel | undefined {
  return ((tuple as ts.TypeReference).target as ts.TupleType).labeledElementDeclarations?.[index]
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

/** Returns the type of a member; undefined without such a member. */
export function memberTypeOf(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const member = checker.getPropertyOfType(type, name)
  return member && checker.getTypeOfSymbol(member)
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
