// Types with members: interfaces, object types, mapped types, and classes of public data:
//
//   { sku: string; note?: string }  →  { kind: 'struct', members: [{ name: 'sku', … }, { name: 'note', optional: true, … }] }
import { ts } from 'ts-morph'
import type { MemberOf } from '../../../runtime/values/types.js'
import type { ModelType, NameRef } from '../../model/model.js'
import { memberPath } from '../../text.js'
import { notesOf } from '../comments/notes.js'
import { isTypeTag } from '../constraints/constraint-types.js'
import { declarationsOfMember, objectLikeFlags, symbolLinks, typeNodeOf } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { isOfPlatform } from '../program/sources.js'
import { isPhantom, keySymbolOf, rejectNamedBrand } from './brand.js'
import { isHidden, rejectBehaviour, rejectPrivate } from './classes.js'
import {
  type Index,
  indexesOf,
  isClosed,
  isKeyedBySymbol,
  isKeyedBySymbols,
  type ResolvedIndex,
  rejectClosed,
  withIndexType,
} from './index-signature.js'
import { nameSymbol } from './naming.js'
import { rejectTooMany } from './rejected.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { isContradictory, rejectContradictory, resolveOptional } from './union.js'
import { assignmentOf, isUntyped, rejectUntyped } from './unresolved.js'

/** Resolves types with members: interfaces, object types, mapped types, intersections, classes of public data. */
export const resolveStruct: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLikeFlags)) return undefined
  const { checker } = resolver
  const all = inDeclaredOrder(type, checker.getPropertiesOfType(type), checker)
  const properties = all.filter((property) => !isPhantom(property, resolver.project))
  const rejected =
    rejectTooMany('struct', properties.length, place, resolver) ?? rejectBehaviour(type, properties, place, resolver)
  if (rejected) return rejected
  if (isKeyedBySymbols(type, resolver)) return rejectSymbols(place, resolver)
  const closed = isClosed(type, resolver)
  const indexes = closed ? [] : indexesOf(type, place, resolver)
  if (closed) rejectClosed(type, properties, place, resolver)
  rejectNamedBrand(type, place, resolver)
  if (properties.length === 0 && indexes.length === 0 && !closed) {
    if (all.length > 0) return rejectBare(all.every(isTypeTag), place, resolver)
    if (isContradictory(type, checker)) return rejectContradictory(type, place, resolver)
    return isEmptyObject(type)
      ? resolver.reject(place, 'RPC121', '{} does not declare its members', 'declare the members, or unknown')
      : { define: () => ({ kind: 'struct', members: [] }) }
  }
  const define = (at: Place) => structModel(properties, indexes, at, resolver)
  const plainRecord = all.length === 0 && indexes.length === 1 && !isUserNamed(type, resolver)
  return plainRecord ? define(place) : { define, mayWait: true }
}

function structModel(
  properties: readonly ts.Symbol[],
  indexes: readonly Index[],
  place: Place,
  resolver: Resolver,
): ModelType {
  const beside = indexes.map((each) => ({ ...each, model: resolver.resolveInner(each.type, place, '[]') }))
  return {
    kind: 'struct',
    members: properties.map((property) => structMember(property, place, resolver, beside)),
    ...(beside.length > 0
      ? { indexes: beside.map(({ model, keys }) => ({ type: model, ...(keys ? { keys } : {}) })) }
      : {}),
  }
}

function structMember(
  property: ts.Symbol,
  place: Place,
  resolver: Resolver,
  beside: readonly ResolvedIndex[],
): MemberOf<NameRef> {
  const { name } = property
  const type = resolver.checker.getTypeOfSymbol(property)
  const own = ownDeclaration(property, type, resolver)
  const path = memberPath(place.path, name)
  const inside = { ...place, node: own ?? place.node, path, depth: place.depth + 1 }
  for (const each of declarationsOfMember(property)) resolver.checkWritten(typeNodeOf(each), inside)
  const rejected = rejectMember(property, inside, place.path, resolver)
  if (rejected) return { name, type: rejected }
  const assigned = assignmentOf(property)
  if (isUntyped(own ?? assigned, type, resolver.checker)) {
    return { name, type: rejectUntyped(`the member ${name}`, { ...inside, node: assigned ?? inside.node }, resolver) }
  }
  const notes = notesOf(declarationsOfMember(property), resolver.project)
  const optional = Boolean(property.flags & ts.SymbolFlags.Optional)
  const plain = optional ? resolveOptional(type, inside, resolver) : resolver.resolve(type, inside)
  const resolved = resolver.constrainer.withMemberTags(plain, property, inside)
  const all = beside.reduce((model, each) => withIndexType(model, property, each, inside, resolver), resolved)
  return { name, type: all, ...(optional ? { optional } : {}), ...notes }
}

/** Returns the member's declaration if it is the user's and declares this type without a type argument or a mapping. */
function ownDeclaration(
  { valueDeclaration }: ts.Symbol,
  type: ts.Type,
  { checker, project }: Resolver,
): ts.Node | undefined {
  const source = valueDeclaration?.getSourceFile()
  if (!source || project.program.isSourceFileFromExternalLibrary(source)) return undefined
  if (project.program.isSourceFileDefaultLibrary(source)) return undefined
  return checker.getTypeAtLocation(valueDeclaration as ts.Node) === type ? valueDeclaration : undefined
}

/** Rejects members that a struct cannot have: keyed by a symbol, private, or without a value. */
function rejectMember(
  property: ts.Symbol,
  place: Place,
  pathOfStruct: string,
  resolver: Resolver,
): ModelType | undefined {
  if (isKeyedBySymbol(property)) {
    const key = keySymbolOf(property)
    return rejectSymbols({ ...place, path: pathOfStruct }, resolver, key && !isOfPlatform(key, resolver.project))
  }
  if (isHidden(property)) return rejectPrivate(place, resolver)
  const declarations = declarationsOfMember(property)
  if (declarations.length === 0 || !declarations.every(ts.isSetAccessor)) return undefined
  return resolver.reject(place, 'RPC121', 'a setter without a getter has no value', `add a getter, or ${leaveOut}`)
}

function rejectSymbols(place: Place, { reject }: Resolver, mayBrand = false): ModelType {
  const hint = mayBrand
    ? `${leaveOut}; as a brand its symbol is only declared: declare const brand: unique symbol`
    : leaveOut
  return reject(place, 'RPC121', 'a member keyed by a symbol cannot be serialised', hint)
}

const leaveOut = 'leave it out'

/** Rejects a brand, or a constraint type, without the type of a value. */
function rejectBare(isConstraint: boolean, place: Place, { reject }: Resolver): ModelType {
  const [name, example] = isConstraint
    ? ['constraint type', 'number & Minimum<0>']
    : ['brand', '{ id: Int } & { readonly [brand]: true }']
  const hint = `intersect it with the type of the value: ${example}`
  return reject(place, 'RPC121', `a ${name} has to be intersected with another type`, hint)
}

function isUserNamed(type: ts.Type, { project }: Resolver): boolean {
  const source = nameSymbol(type)?.declarations?.[0]?.getSourceFile()
  return source !== undefined && !project.program.isSourceFileDefaultLibrary(source)
}

/** True for `{}`, which accepts every value but null and undefined; an interface without members is meant as an empty object. */
function isEmptyObject(type: ts.Type): boolean {
  return !type.isClassOrInterface() && !type.aliasSymbol
}

/** What the checker knows of a mapped type, beside its public properties. */
interface Mapped extends ts.Type {
  /** `Row` of `{ [K in keyof Row]: … }`, known once its members are. */
  readonly modifiersType?: ts.Type
  readonly mapper?: Mapper
}

/** The type arguments of an instantiation. */
interface Mapper {
  readonly target?: ts.Type
  readonly targets?: readonly ts.Type[]
  readonly mapper1?: Mapper
  readonly mapper2?: Mapper
}

/** Mapped types inside of each other; types that are written have a few. */
const MAX_MAPPED_DEPTH = 8

/**
 * Returns the properties of a type in the order of their declaration. The checker sorts the keys of a mapped type, such as `Omit<Row,
 * 'id'>` of the row of a table: these have the order of the type whose keys they are.
 */
function inDeclaredOrder(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  checker: ts.TypeChecker,
): readonly ts.Symbol[] {
  if (properties.length < 2 || !containsMapped(type)) return properties
  const order = new Map(namesOf(type, checker, 0).map((name, i) => [name, i]))
  const indexOf = ({ name }: ts.Symbol) => order.get(name) ?? order.size
  return properties.toSorted((a, b) => indexOf(a) - indexOf(b))
}

function containsMapped(type: ts.Type): boolean {
  return type.isIntersection() ? type.types.some(containsMapped) : isMapped(type)
}

function isMapped(type: ts.Type): type is Mapped {
  return Boolean(type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)
}

/** The names of the properties of a type, in order: those of a mapped type in that of the first type that has all their keys. */
function namesOf(type: ts.Type, checker: ts.TypeChecker, depth: number): readonly string[] {
  const inner = (each: ts.Type) => namesOf(each, checker, depth + 1)
  if (type.isIntersection() && depth <= MAX_MAPPED_DEPTH) return [...new Set(type.types.flatMap(inner))]
  const properties = checker.getPropertiesOfType(type)
  const sources = isMapped(type) && depth <= MAX_MAPPED_DEPTH ? mappedTypes(type) : []
  for (const source of sources.filter((each) => each !== type && each.flags & objectLikeFlags)) {
    const order = new Map(inner(source).map((name, i) => [name, i]))
    const indexOf = (property: ts.Symbol) => order.get(originalKey(property)) ?? -1
    if (properties.every((each) => indexOf(each) >= 0))
      return properties.toSorted((a, b) => indexOf(a) - indexOf(b)).map(({ name }) => name)
  }
  return properties.map(({ name }) => name)
}

/** The key that a property is made of: another one than its name where `as` renames it. */
function originalKey(property: ts.Symbol): string {
  const { keyType } = symbolLinks(property)
  return keyType?.isStringLiteral() ? keyType.value : property.name
}

/** The types whose keys a mapped type may have: the one that it maps, and type arguments. */
function mappedTypes({ modifiersType, mapper }: Mapped): readonly ts.Type[] {
  return [...(modifiersType ? [modifiersType] : []), ...mapperTargets(mapper)]
}

function mapperTargets(mapper: Mapper | undefined): readonly ts.Type[] {
  if (!mapper) return []
  const { target, targets = [], mapper1, mapper2 } = mapper
  return [...(target ? [target] : []), ...targets, ...mapperTargets(mapper1), ...mapperTargets(mapper2)].filter(Boolean)
}
