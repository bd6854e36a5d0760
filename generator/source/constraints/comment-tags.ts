import { ts } from 'ts-morph'
import type { Constraint } from '../../docs/index.js'
import { isList, labelAt, referenced, symbolLinks } from '../annotations.js'
import { ownFunction } from '../declarations.js'
import { type CommentReader, mayHaveTags } from './comment-reader.js'
import { lostInAny, typeTagsOf, withConstraints } from './type-tags.js'

/** Why TypeScript drops constraints, and how to avoid it. */
export interface Dropped {
  readonly message: string
  readonly hint: string
}

/** The comments whose tags apply to a member, or why they cannot be applied. */
export interface MemberTags {
  readonly declarations: readonly ts.Declaration[]
  readonly problem?: Dropped | undefined
}

/**
 * Returns the declarations whose tags apply to a member. Intersections and interfaces that are declared twice contribute all of
 * theirs. A mapped type keeps the tags of a member if it keeps the type of the member; it is an error if the new type contains the
 * old one, as `{ value: T[K] }` does; the tags do not apply to any other type.
 */
export function taggedDeclarations(property: ts.Symbol, checker: ts.TypeChecker, reader: CommentReader): MemberTags {
  const { mappedType, syntheticOrigin, containingType, target } = symbolLinks(property)
  if (mappedType?.declaration && !usesKey(mappedType.declaration)) return { declarations: [] }
  const origin = syntheticOrigin ?? (containingType ? undefined : target)
  if (origin) {
    const found = taggedDeclarations(origin, checker, reader)
    if (mappedType === undefined || !isTagged(found, reader)) return found
    const [now, before] = [property, origin].map((each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)))
    if (!now || !before || isSame(now, before, checker)) return found
    const isRebuilt = isList(now, checker) && isList(before, checker)
    return isRebuilt || contains(now, before, checker)
      ? { ...found, problem: changed(property, isRebuilt ? ofItsOwn : asType(found.declarations, reader)) }
      : { declarations: [] }
  }
  if (!containingType) return { declarations: property.declarations ?? [] }
  const members = containingType.types.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? [])
  const parts = members.map((each) => taggedDeclarations(each, checker, reader))
  const declarations = [...new Set(parts.flatMap((each) => each.declarations))]
  const problem = parts.find((each) => each.problem)?.problem
  if (problem) return { declarations, problem }
  return containingType.isUnion() && differ(parts, reader)
    ? { declarations, problem: differing(property, asType(declarations, reader)) }
    : { declarations }
}

/** The constraint types of a list that a mapped type rebuilds: like the tags of a member, they apply to the new list. */
export interface RebuiltList {
  readonly constraints: readonly Constraint[]
  readonly problem?: Dropped
}

/**
 * Returns the constraints of a member's list in the type that was mapped, as by `T extends (infer U)[] ? DeepPartial<U>[] : …`. Undefined
 * for other members.
 */
export function rebuiltList(property: ts.Symbol, checker: ts.TypeChecker): RebuiltList | undefined {
  const { mappedType, syntheticOrigin: origin } = symbolLinks(property)
  if (!mappedType?.declaration || !origin) return undefined
  const now = checker.getNonNullableType(checker.getTypeOfSymbol(property))
  if (!isList(now, checker) || !usesKey(mappedType.declaration)) return undefined
  const before = checker.getNonNullableType(checker.getTypeOfSymbol(origin))
  const list = before.isIntersection() ? before.types.find((each) => isList(each, checker)) : undefined
  if (!list) return isSame(now, before, checker) ? rebuiltList(origin, checker) : undefined
  const { found: constraints } = typeTagsOf(before, checker)
  if (constraints.length === 0 || contains(now, before, checker)) return undefined
  if (isSame(now, list, checker)) return { constraints }
  const message = `a mapped type changes the elements of ${property.name}, and the constraints of the list are dropped`
  return { constraints: [], problem: { message, hint: ofItsOwn } }
}

function isTagged({ declarations }: MemberTags, { tagsOf }: CommentReader): boolean {
  return declarations.some((each) => (tagsOf(each)?.found.length ?? 0) > 0)
}

/** A template that does not depend on the key gives every member a new type. */
function usesKey({ type, typeParameter: { name } }: ts.MappedTypeNode): boolean {
  const isKey = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name.text) || (ts.forEachChild(node, isKey) ?? false)
  return type !== undefined && isKey(type)
}

/** Compares without null, undefined and `readonly`. A list whose elements are mapped, as by DeepPartial, keeps its length. */
function isSame(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [now, before] = [checker.getNonNullableType(one), checker.getNonNullableType(other)]
  if (now === before || isNonNullable(now, before, checker)) return true
  if (!checker.isArrayType(now) || !checker.isArrayType(before)) return false
  const [element] = checker.getTypeArguments(now as ts.TypeReference)
  const [elementBefore] = checker.getTypeArguments(before as ts.TypeReference)
  if (!element || !elementBefore) return false
  return isSame(element, elementBefore, checker) || isMappedFrom(element, elementBefore, checker)
}

/** True for `Int & {}`, which `NonNullable` makes of Int, and for a union of such types. */
function isNonNullable(type: ts.Type, before: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion() && before.isUnion())
    return type.types.every((each) => before.types.some((one) => each === one || isNonNullable(each, one, checker)))
  if (!type.isIntersection()) return false
  const parts = before.isIntersection() ? before.types : [before]
  const isEmpty = (each: ts.Type) => (each.flags & ts.TypeFlags.Object) !== 0 && checker.typeToString(each) === '{}'
  return (
    parts.every((each) => type.types.includes(each)) &&
    type.types.every((each) => parts.includes(each) || isEmpty(each))
  )
}

function isMappedFrom(mapped: ts.Type, before: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(mapped)
  if (type.isUnion()) return type.types.every((each) => isMappedFrom(each, before, checker))
  if (before.isUnion()) return before.types.some((each) => type === each || isMappedFrom(type, each, checker))
  const properties = checker.getPropertiesOfType(type)
  const isMapped = (each: ts.Symbol) => {
    const { syntheticOrigin } = symbolLinks(each)
    return syntheticOrigin !== undefined && syntheticOrigin === before.getProperty(syntheticOrigin.name)
  }
  return properties.length > 0 && properties.every(isMapped)
}

/** How deep the search for a type in another one goes. */
const maxDepth = 4

function contains(type: ts.Type, part: ts.Type, checker: ts.TypeChecker, depth = 0): boolean {
  if (type === part) return true
  if (depth > maxDepth) return false
  const inside = (each: ts.Type) => contains(each, part, checker, depth + 1)
  if (type.isUnionOrIntersection()) return type.types.some(inside)
  if (!(type.flags & ts.TypeFlags.Object)) return false
  if (argumentsOf(type, checker).some(inside)) return true
  if (isList(type, checker)) return false
  const indexed = checker.getIndexInfosOfType(type).some((each) => inside(each.type))
  return indexed || checker.getPropertiesOfType(type).some((each) => inside(checker.getTypeOfSymbol(each)))
}

/** The type arguments of an interface or a class, and the elements of a list. */
function argumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  const { objectFlags = 0 } = type as Partial<ts.ObjectType>
  return objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type as ts.TypeReference) : []
}

function differ(parts: readonly MemberTags[], { tagsOf }: CommentReader): boolean {
  const texts = parts.map(({ declarations }) =>
    JSON.stringify(declarations.flatMap((each) => tagsOf(each)?.found.map(({ name, value }) => [name, value]) ?? [])),
  )
  return new Set(texts).size > 1
}

const ofItsOwn = 'declare the member of the new type by itself, with its constraints'

/** Returns the hint with the line to write: a member whose type has the constraints of its comment. */
function asType(declarations: readonly ts.Node[], { tagsOf }: CommentReader): string {
  for (const each of declarations) {
    const { name, type, questionToken } = each as Partial<ts.PropertySignature>
    const { found = [] } = tagsOf(each) ?? {}
    if (name && type && found.length > 0)
      return `write the constraints into its type: ${name.getText()}${questionToken ? '?' : ''}: ${withConstraints(type, found)}`
  }
  return 'write the constraints into its type, as in number & Minimum<0>'
}

function changed({ name }: ts.Symbol, hint: string): Dropped {
  return { message: `a mapped type changes the type of ${name}, and its constraint tags are dropped`, hint }
}

function differing({ name }: ts.Symbol, hint: string): Dropped {
  return { message: `the branches that declare ${name} have different constraint tags for it`, hint }
}

/** Returns why TypeScript drops the constraints of a written type; undefined if it does not. */
export function droppedBy(node: ts.Node, checker: ts.TypeChecker, reader: CommentReader): Dropped | undefined {
  if (reader.hasTags()) {
    const taken = takenBy(node, checker).map(([object, key]) => droppedOf(object, key, checker, reader))
    const problem = taken.find(Boolean)
    if (problem) return problem
  }
  const lost = lostInAny(node, checker)
  if (lost) return lost
  const rest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken) ? node.type : undefined
  const found = rest && typeTagsOf(checker.getTypeFromTypeNode(rest), checker).found
  return found?.length
    ? { message: 'the rest of a tuple does not have the constraints of the list', hint: 'constrain its elements' }
    : undefined
}

/** Returns the keys of the members that a written type takes out of others, with these types. */
function takenBy(node: ts.Node, checker: ts.TypeChecker): (readonly [object: ts.Type, key: Key])[] {
  const typeOf = (each: ts.TypeNode) => checker.getTypeFromTypeNode(each)
  // `Order['note']` is the type of the member alone: tags in the comment of the member are not part of it.
  if (isTaking(node) && !isKeptByMapping(node, checker))
    return [[bound(typeOf(node.objectType), checker), { name: typeOf(node.indexType), depth: 1 }]]
  if (ts.isConditionalTypeNode(node)) {
    const keys = inferredIn(typeOf(node.extendsType), depthOf(node), checker)
    return keys.map((key) => [typeOf(node.checkType), key])
  }
  // `typeof order.note`
  if (ts.isTypeQueryNode(node) && ts.isQualifiedName(node.exprName)) {
    const { left, right } = node.exprName
    return [[checker.getTypeAtLocation(left), { name: checker.getStringLiteralType(right.text), depth: 1 }]]
  }
  if (!ts.isTypeReferenceNode(node) && !ts.isTypeQueryNode(node)) return []
  const keys = keysTakenBy(node, checker)
  return (node.typeArguments ?? []).flatMap((each) => keys.map((key) => [typeOf(each), key] as const))
}

/** Returns the constraint of a type that is inferred: `P` for `infer Q extends P`. Other type parameters are reported for their arguments. */
function bound(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  return (isInferred(type) && checker.getBaseConstraintOfType(type)) || type
}

/** The type of a key, and how deep in a type argument the member is at most. */
interface Key {
  readonly name: ts.Type
  readonly depth: number
  /** The type with the member that a conditional type compares with: the members of a type that cannot extend it are kept. */
  readonly compared?: ts.Type
}

/** Returns why the constraints of the members with a key are dropped; undefined if there are no such members. */
function droppedOf(
  object: ts.Type,
  { name, depth, compared }: Key,
  checker: ts.TypeChecker,
  reader: CommentReader,
): Dropped | undefined {
  const names = namesIn(name, checker)
  const membersIn = (types: readonly ts.Type[]) => types.flatMap((each) => membersOf(each, checker, reader))
  let objects = [object]
  for (let level = 0; level < depth; level++) {
    // Members of a type parameter are reported for its arguments.
    const open = objects.filter((each) => !isGeneric(each))
    const members = membersIn(open)
    const isIn = (each: ts.Type) => compared === undefined || mayExtend(each, compared, checker)
    const reached = membersIn(
      open.filter((each) => isIn(each) && (!(name.flags & ts.TypeFlags.String) || isIndexed(each))),
    )
    const tagged = reached.find((each) => (names?.includes(each.name) ?? !each.isParameter) && isTagged(each, reader))
    if (tagged) {
      const member = tagged.isParameter ? `parameter ${Number(tagged.name) + 1}` : tagged.name
      const message = `the type of ${member} does not have the constraint tags of its comment`
      return { message, hint: asType(tagged.declarations, reader) }
    }
    objects = members.map(({ type }) => checker.getNonNullableType(type))
  }
  return undefined
}

/** False for a type that does not have the members, the signatures or the elements of another one. */
function mayExtend(type: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((each) => mayExtend(each, other, checker))
  if (other.isUnion()) return other.types.some((each) => mayExtend(type, each, checker))
  if (other.getCallSignatures().length > 0 && type.getCallSignatures().length === 0) return false
  if (isList(other, checker)) return (type.isIntersection() ? type.types : [type]).some((each) => isList(each, checker))
  const required = checker.getPropertiesOfType(other).filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
  return required.every(({ name }) => checker.getPropertyOfType(type, name) !== undefined)
}

function isGeneric(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.Instantiable) || (type.isIntersection() && type.types.some(isGeneric))
}

/** True if an index signature accepts the members of a type: not those of an interface or a class that has none itself. */
function isIndexed(type: ts.Type): boolean {
  if (type.isUnionOrIntersection()) return type.types.every(isIndexed)
  const isLiteral = (type.symbol?.flags ?? 0) & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral)
  return Boolean(isLiteral) || type.getStringIndexType() !== undefined
}

interface TakenMember extends MemberTags {
  /** The name of a member, the index of an element or a parameter; '' for elements, results and other values. */
  readonly name: string
  readonly type: ts.Type
  readonly isParameter?: boolean
}

/** The members of a type, the elements of a tuple or a list, or the parameters of a function. Methods are not data. */
function membersOf(object: ts.Type, checker: ts.TypeChecker, reader?: CommentReader): readonly TakenMember[] {
  if (checker.isTupleType(object)) {
    return checker.getTypeArguments(object as ts.TypeReference).map((type, i) => {
      const label = labelAt(object, i)
      return { name: `${i}`, type, declarations: label ? [label] : [] }
    })
  }
  const unnamed = (types: readonly ts.Type[]) => types.map((type) => ({ name: '', type, declarations: [] }))
  if (checker.isArrayType(object)) return unnamed(argumentsOf(object, checker))
  if (!(object.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection))) return []
  const parameters = object.getCallSignatures().flatMap((signature) =>
    signature.parameters.map((parameter, i) => {
      const declarations = (parameter.declarations ?? []).filter(mayHaveTags)
      return { name: `${i}`, type: checker.getTypeOfSymbol(parameter), declarations, isParameter: true }
    }),
  )
  const data = checker.getPropertiesOfType(object).filter(({ flags }) => !(flags & ts.SymbolFlags.Method))
  const properties = data.map((property) => {
    const declarations = reader ? taggedDeclarations(property, checker, reader).declarations.filter(mayHaveTags) : []
    return { name: property.name, type: checker.getTypeOfSymbol(property), declarations }
  })
  // The values of a Promise, a Set or a record, and results, have no comments of their own.
  const results = [...object.getCallSignatures(), ...object.getConstructSignatures()].map((each) =>
    each.getReturnType(),
  )
  const values = checker.getIndexInfosOfType(object).map(({ type }) => type)
  return [...parameters, ...properties, ...unnamed([...argumentsOf(object, checker), ...results, ...values])]
}

function namesIn(type: ts.Type, checker: ts.TypeChecker): string[] | undefined {
  const key = checker.getBaseConstraintOfType(type) ?? type
  const keys = (key.isUnion() ? key.types : [key]).map((each) =>
    each.isStringLiteral() || each.isNumberLiteral() ? String(each.value) : undefined,
  )
  return keys.every((each) => each !== undefined) ? keys : undefined
}

const taken = new WeakMap<ts.Declaration, readonly Key[]>()

/** Returns the keys of the members that a generic type takes out of its arguments: `'note'` for `K` of `T[K]`. */
function keysTakenBy(reference: ts.TypeReferenceNode | ts.TypeQueryNode, checker: ts.TypeChecker): readonly Key[] {
  if (!reference.typeArguments) return []
  return (referenced(reference, checker)?.declarations ?? []).flatMap((declaration) => {
    const each = ownFunction(declaration) ?? declaration
    const isGenericType = ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each) || ts.isClassLike(each)
    if (!(isGenericType || ts.isFunctionLike(each)) || !each.typeParameters) return []
    return keysTaken(each, checker).map(({ name, ...key }) => {
      const index = each.typeParameters?.findIndex((parameter) => name.symbol?.declarations?.includes(parameter)) ?? -1
      const argument = reference.typeArguments?.[index]
      return { ...key, name: argument ? checker.getTypeFromTypeNode(argument) : name }
    })
  })
}

/** Returns the keys in a generic type: of `T['note']`, of `T extends { note: infer N }`, and of the types that it refers to. */
function keysTaken(generic: ts.Declaration, checker: ts.TypeChecker): readonly Key[] {
  const known = taken.get(generic)
  if (known) return known
  const keys: Key[] = []
  taken.set(generic, keys)
  const visit = (node: ts.Node): void => {
    // Methods are not data.
    if (ts.isTypeParameterDeclaration(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node)) return
    // The members of `{ [K in keyof T]: K }[keyof T]` are not those of an argument.
    const isOwnObject = (each: ts.Node) => ts.isMappedTypeNode(each) || ts.isTypeLiteralNode(each)
    if (isTaking(node) && !isOwnObject(node.objectType) && !isKeptByMapping(node, checker))
      keys.push({ name: checker.getTypeFromTypeNode(node.indexType), depth: accessesIn(node) })
    if (ts.isConditionalTypeNode(node)) {
      const extended = checker.getTypeFromTypeNode(node.extendsType)
      keys.push(...inferredIn(extended, depthOf(node), checker))
      // A type that is only compared is not part of the result.
      if (ts.isInferTypeNode(node.extendsType)) visit(node.checkType)
      visit(node.trueType)
      visit(node.falseType)
      return
    }
    if (ts.isTypeReferenceNode(node) && node.typeArguments) {
      const outer = accessesIn(node)
      keys.push(...keysTakenBy(node, checker).map((key) => ({ ...key, depth: key.depth + outer })))
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(generic, visit)
  return keys
}

/** True for `T['a']`, but not inside of `T['a'][number]`: the tags of a list are not those of its elements. */
function isTaking(node: ts.Node): node is ts.IndexedAccessTypeNode {
  if (!ts.isIndexedAccessTypeNode(node)) return false
  return !(ts.isIndexedAccessTypeNode(node.parent) && node.parent.objectType === node)
}

/** How deep the members that a conditional type compares are in a type argument at most. */
function depthOf({ checkType }: ts.ConditionalTypeNode): number {
  const isGenericType = ts.isTypeReferenceNode(checkType) && checkType.typeArguments !== undefined
  return accessesIn(checkType) + (isGenericType ? 2 : 1)
}

/** The number of indexed access types in a written type. */
function accessesIn(node: ts.Node): number {
  let count = ts.isIndexedAccessTypeNode(node) ? 1 : 0
  ts.forEachChild(node, (child) => {
    count += accessesIn(child)
  })
  return count
}

/** True for `T[K]` in `{ [K in keyof T]: T[K] }`, where the member of the mapped type has the comment. */
function isKeptByMapping(node: ts.IndexedAccessTypeNode, checker: ts.TypeChecker): boolean {
  const { indexType } = node
  const declarations = ts.isTypeReferenceNode(indexType) ? referenced(indexType, checker)?.declarations : undefined
  const mapped = declarations?.map(({ parent }) => parent).find(ts.isMappedTypeNode)
  const around = ts.findAncestor(node, (each) => ts.isTypeElement(each) || each === mapped)
  // `{ [K in keyof T]: T[K] }[keyof T]` takes the members out again.
  if (!mapped || around !== mapped || ts.isIndexedAccessTypeNode(mapped.parent)) return false
  return isKeyOf(mapped.typeParameter.constraint, checker)
}

/** True for `keyof T`, and for a type parameter that extends it: TypeScript then maps the members with their comments. */
function isKeyOf(node: ts.TypeNode | undefined, checker: ts.TypeChecker): boolean {
  if (!node || ts.isTypeOperatorNode(node)) return node?.operator === ts.SyntaxKind.KeyOfKeyword
  const declarations = ts.isTypeReferenceNode(node) ? referenced(node, checker)?.declarations : undefined
  return declarations?.some((each) => ts.isTypeParameterDeclaration(each) && isKeyOf(each.constraint, checker)) ?? false
}

/** The keys of the members that a conditional type infers as a whole, in the type that it compares with. */
function inferredIn(type: ts.Type, depth: number, checker: ts.TypeChecker): Key[] {
  if (depth > maxDepth) return []
  if (type.isUnion()) return type.types.flatMap((each) => inferredIn(each, depth, checker))
  if (isOpenMapped(type, checker)) {
    const key = type.aliasTypeArguments?.find((each) => !isInferred(each))
    return [{ name: key ?? checker.getAnyType(), depth, compared: type }]
  }
  const tuple = checker.isTupleType(type) ? (type as ts.TupleTypeReference).target : undefined
  const members = membersOf(type, checker).flatMap((each, i) => {
    const branches = each.type.isUnion() ? each.type.types : [each.type]
    if (!branches.some(isInferred)) return inferredIn(each.type, depth + 1, checker)
    const isRest = each.declarations.some((node) => ts.isParameter(node) && node.dotDotDotToken)
    // The rest of a tuple or of the parameters keeps the comments.
    if (isRest || (tuple?.elementFlags[i] ?? 0) & ts.ElementFlags.Variadic) return []
    const isFixed = i < (tuple?.fixedLength ?? Number.POSITIVE_INFINITY)
    return [{ name: isFixed ? checker.getStringLiteralType(each.name) : checker.getAnyType(), depth, compared: type }]
  })
  // Numbers are the keys of lists, whose elements have no comments.
  const indexes = checker.getIndexInfosOfType(type).filter(({ keyType }) => !(keyType.flags & ts.TypeFlags.Number))
  const keys = indexes
    .filter((each) => isInferred(each.type))
    .map(({ keyType }) => ({ name: keyType, depth, compared: type }))
  return [...members, ...keys]
}

/** True for `Record<K, infer V>` and `{ [P in keyof T]: infer V }`, whose keys depend on type parameters. */
function isOpenMapped(type: ts.Type, checker: ts.TypeChecker): boolean {
  const [node] = type.symbol?.declarations ?? []
  if (!node || !ts.isMappedTypeNode(node) || checker.getPropertiesOfType(type).length > 0) return false
  const isInferring = node.type !== undefined && ts.isInferTypeNode(node.type)
  return (
    checker.getIndexInfosOfType(type).length === 0 && (isInferring || (type.aliasTypeArguments ?? []).some(isInferred))
  )
}

/** True for the type parameter `N` of `infer N`. */
function isInferred(type: ts.Type): boolean {
  const isInfer = (each: ts.Node) => ts.isTypeParameterDeclaration(each) && ts.isInferTypeNode(each.parent)
  return type.symbol?.declarations?.some(isInfer) ?? false
}
