// Queries about types and their declarations that several kinds of types need:
//
//   literalValueOf(the type 'draft')  →  'draft'
import { ts } from 'ts-morph'
import { unaliased } from './symbols.js'

/** The flags of strings, numbers, bigints and booleans, literals among them. */
export const primitive =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

/** The flags of types with members. */
export const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

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
