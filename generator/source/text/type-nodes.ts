import { ts } from 'ts-morph'
import { unaliased } from '../declarations.js'
import { isErrorType } from '../error-type.js'
import { nameSymbol } from '../naming.js'
import { accessed } from './accessed.js'
import { isDeclaredAs } from './properties.js'
import { referenced } from './referenced.js'
import { resultNode, sameList } from './remade.js'
import { typeNodeOf } from './written.js'

/** Something that a type is written with and that may have a comment, and its name where it has one. */
export interface NamedNode {
  readonly node: ts.Node
  readonly symbol?: ts.Symbol
}

/** What a written type stands for: the declarations that say so, and how they write it. */
export interface Step {
  readonly symbol?: ts.Symbol
  readonly declarations: readonly ts.Node[]
  readonly next?: ts.TypeNode | undefined
}

/**
 * The names that a type is written with, one alias after the other. The checker forgets them where an alias only names
 * another type: `type Age = Int` is Int to it. A value of an intersection meets what each of its parts demands.
 */
export function namedBy(node: ts.TypeNode, checker: ts.TypeChecker): NamedNode[] {
  const own: NamedNode[] = isOutermost(node) ? [{ node }] : []
  if (ts.isNamedTupleMember(node.parent)) own.push({ node: node.parent })
  if (ts.isIntersectionTypeNode(node)) return [...own, ...node.types.flatMap((each) => namedBy(each, checker))]
  const step = behind(node, checker)
  if (!step) return own
  const { symbol, declarations, next } = step
  const found = declarations.map((each) => (symbol ? { node: each, symbol } : { node: each }))
  const goesOn = next && !(symbol && isRemembered(node, symbol, checker))
  return [...own, ...found, ...(goesOn ? namedBy(next, checker) : [])]
}

/** A comment at the beginning of several nodes is about the largest. */
function isOutermost(node: ts.TypeNode): boolean {
  return node.parent.getFullStart() !== node.getFullStart()
}

/** Whether the checker knows a type by this name: then the type has a place of its own. */
export function isRemembered(node: ts.TypeNode, symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return nameSymbol(checker.getTypeFromTypeNode(node)) === symbol
}

/** Aliases of the language that leave what is inside a list or a union as it is. */
export const transparent = new Set(['Readonly', 'Partial', 'Required', 'NoInfer'])
export const filters = new Set(['NonNullable', 'Exclude', 'Extract'])

function behind(node: ts.TypeNode, checker: ts.TypeChecker): Step | undefined {
  if (ts.isParenthesizedTypeNode(node)) return { declarations: [], next: node.type }
  if (ts.isTypeOperatorNode(node)) return isReadonly(node) ? { declarations: [], next: node.type } : undefined
  if (ts.isIndexedAccessTypeNode(node)) return behindAccess(node, checker)
  if (ts.isTypeQueryNode(node)) return behindQuery(node, checker)
  if (!ts.isTypeReferenceNode(node) && !ts.isImportTypeNode(node)) return undefined
  const [first] = node.typeArguments ?? []
  const name = ts.isImportTypeNode(node) ? '' : node.typeName.getText()
  if (first && transparent.has(name)) return { declarations: [], next: first }
  if (first && name === 'Awaited') return { declarations: [], next: containedNode(first, checker) ?? first }
  const result = resultNode(node, checker)
  if (result) return { declarations: [], next: result }
  const symbol = referenced(node, checker)
  // An alias of itself alone leads nowhere.
  if (!symbol || isErrorType(checker.getDeclaredTypeOfSymbol(symbol))) return undefined
  const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration)
  const next = alias?.typeParameters ? sameList(node, alias, checker) : alias?.type
  return { symbol, declarations: symbol.declarations ?? [], next }
}

export function isReadonly({ operator }: ts.TypeOperatorNode): boolean {
  return operator === ts.SyntaxKind.ReadonlyKeyword
}

/** `Order['lines']`, and `Line[][number]`. */
function behindAccess(node: ts.IndexedAccessTypeNode, checker: ts.TypeChecker): Step | undefined {
  const index = checker.getTypeFromTypeNode(node.indexType)
  if (index.flags & ts.TypeFlags.Number) return { declarations: [], next: containedNode(node.objectType, checker) }
  const [property, second] = accessed(node, checker)
  if (!property || second) return undefined
  const declarations = property.declarations ?? []
  const [declaration] = declarations
  const same = declaration && isDeclaredAs(declaration, checker.getTypeFromTypeNode(node), checker)
  return { symbol: property, declarations, next: same ? typeNodeOf(declaration) : undefined }
}

/** `typeof limit` */
export function behindQuery(node: ts.TypeQueryNode, checker: ts.TypeChecker): Step | undefined {
  const symbol = checker.getSymbolAtLocation(node.exprName)
  const declaration = symbol && unaliased(symbol, checker).valueDeclaration
  return declaration && { symbol, declarations: [declaration], next: typeNodeOf(declaration) }
}

/** The type that aliases, brackets and `readonly` stand around. */
function bare(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  const next = behind(node, checker)?.next
  return next ? bare(next, checker) : node
}

/** The same, also beside null and undefined. */
export function bareValue(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode {
  const inner = bare(node, checker)
  const only = soleValue(inner, checker)
  return only && only !== inner ? bare(only, checker) : inner
}

/** The only branch that is not null or undefined. */
function soleValue(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode | undefined {
  const values = branchesOf(node, checker).filter((each) => !isNothing(checker.getTypeFromTypeNode(each)))
  return values.length === 1 ? values[0] : undefined
}

function isNothing({ flags }: ts.Type): boolean {
  return Boolean(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void))
}

/** Which type argument is that of the values inside, by the names of the platform. */
const containers: Readonly<Record<string, number>> = {
  Array: 0,
  ReadonlyArray: 0,
  Set: 0,
  ReadonlySet: 0,
  Promise: 0,
  Map: 1,
  ReadonlyMap: 1,
  Record: 1,
}

export function containerAt(node: ts.TypeNode): number | undefined {
  const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : ''
  return Object.hasOwn(containers, name) ? containers[name] : undefined
}

/** How the type of what lies in a container is written; undefined where the text does not say. */
export function containedNode(node: ts.TypeNode | undefined, checker: ts.TypeChecker): ts.TypeNode | undefined {
  if (!node) return undefined
  const inner = bareValue(node, checker)
  if (ts.isArrayTypeNode(inner)) return inner.elementType
  if (ts.isTypeLiteralNode(inner)) return inner.members.find(ts.isIndexSignatureDeclaration)?.type
  if (ts.isMappedTypeNode(inner)) return inner.type
  const at = containerAt(inner)
  return at === undefined ? undefined : (inner as ts.TypeReferenceNode).typeArguments?.[at]
}

/** How a branch of a union is written: the one part of the text that has this type. */
export function branchNode(
  node: ts.TypeNode | undefined,
  branch: ts.Type,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  if (!node) return undefined
  const all = branchesOf(node, checker)
  const written = all.filter((each) => checker.getTypeFromTypeNode(each) === branch)
  if (written.length > 0) return written.find((each) => ts.isTypeReferenceNode(each)) ?? written[0]
  // `Slug & ('a' | 'b')` beside another branch is of two.
  const both = all.length > 1 && all.find((each) => ts.isIntersectionTypeNode(each) && isOneOf(branch, each, checker))
  if (both) return both
  // What NonNullable makes of the one branch is another type.
  const value = isNothing(branch) ? undefined : soleValue(node, checker)
  if (value !== node) return value
  // What stands behind a name or an access, beside the undefined of a member that may be left out.
  const inner = bare(node, checker)
  return inner !== node && checker.getTypeFromTypeNode(inner) === branch ? inner : undefined
}

function isOneOf(branch: ts.Type, node: ts.TypeNode, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeFromTypeNode(node)
  return type.isUnion() && type.types.includes(branch)
}

/** The branches that a union is written with, also behind names; of any other type the type itself. */
export function branchesOf(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode[] {
  const own = ts.isParenthesizedTypeNode(node) ? node.type : node
  if (ts.isUnionTypeNode(own)) return own.types.flatMap((each) => branchesOf(each, checker))
  const filtered = filteredNode(own)
  if (filtered) return branchesOf(filtered, checker)
  const inner = bare(own, checker)
  const goesOn = inner !== own && (ts.isUnionTypeNode(inner) || filteredNode(inner))
  return goesOn ? branchesOf(inner, checker) : [own]
}

/** What `Exclude` and its like take some branches of. */
function filteredNode(node: ts.TypeNode): ts.TypeNode | undefined {
  return ts.isTypeReferenceNode(node) && filters.has(node.typeName.getText()) ? node.typeArguments?.[0] : undefined
}
