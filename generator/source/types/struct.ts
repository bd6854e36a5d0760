// Types with members: interfaces, object types, mapped types, and classes of public data:
//
//   { sku: string; note?: string }  →  { kind: 'struct', members: [{ name: 'sku', … }, { name: 'note', optional: true, … }] }
import { ts } from 'ts-morph'
import type { MemberOf } from '../../../runtime/values/types.js'
import type { ModelType, NameRef } from '../../model/model.js'
import { memberPath } from '../../text.js'
import { notesOf } from '../comments/notes.js'
import { isTypeTag } from '../constraints/constraint-types.js'
import { declarationsOfMember, objectLike, typeNodeOf } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { isPlatformSource } from '../program/sources.js'
import { hasPrivateNames, isHidden } from './classes.js'
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
import { inDeclaredOrder } from './member-order.js'
import { nameSymbol } from './naming.js'
import { rejectTooWide } from './rejected.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { isOfPlatform, isPhantom, keySymbolOf, rejectNamedBrand } from './tagged.js'
import { isContradictory, rejectContradictory, resolveOptional } from './union.js'
import { assignedIn, isUntyped, rejectUntyped } from './unresolved.js'

/** Resolves types with members: interfaces, object types, mapped types, intersections, classes of public data. */
export const resolveStruct: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & objectLike)) return undefined
  const { checker } = resolver
  if (hasPrivateNames(type, resolver)) return rejectPrivate(place, resolver)
  const all = inDeclaredOrder(type, checker.getPropertiesOfType(type), checker)
  const properties = all.filter((property) => !isPhantom(property, resolver.project))
  const tooWide = rejectTooWide(properties.length, place, resolver)
  if (tooWide) return tooWide
  const platform = properties.map((property) => platformMethodOf(property, resolver)).find(Boolean)
  if (platform !== undefined) return rejectPlatform(platform, type, place, resolver)
  const methods = classMethods(type, properties)
  if (methods.length > 0) return rejectMethods(type, methods, place, resolver)
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

/** Returns the methods of a class, whose instances are more than data. */
function classMethods({ symbol }: ts.Type, properties: readonly ts.Symbol[]): readonly string[] {
  const isClass = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class) !== 0
  return isClass ? properties.filter(({ flags }) => flags & ts.SymbolFlags.Method).map(({ name }) => name) : []
}

/** Rejects a class as a whole: callers would not get its methods. */
function rejectMethods(
  { symbol: { name } }: ts.Type,
  methods: readonly string[],
  place: Place,
  { reject }: Resolver,
): ModelType {
  const message = `the class ${name} is not supported: it has methods (${methods.join(', ')})`
  const instead = methods.includes('toJSON')
    ? 'declare what its toJSON() returns, and call that in the procedure'
    : `declare its data, which an instance has too: Data<${name}>, of rpc-gen`
  return reject(place, 'RPC121', message, `${instead}; or give it a codec: \`scalars\` in rpc.config`)
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
  const own = whereDeclared(property, type, resolver)
  const path = memberPath(place.path, name)
  const inside = { ...place, node: own ?? place.node, path, depth: place.depth + 1 }
  for (const each of declarationsOfMember(property)) resolver.checkWritten(typeNodeOf(each), inside)
  const rejected = rejectMember(property, inside, place, resolver)
  if (rejected) return { name, type: rejected }
  const assigned = assignedIn(property)
  if (isUntyped(own ?? assigned, type, resolver.checker)) {
    return { name, type: rejectUntyped(`the member ${name}`, { ...inside, node: assigned ?? inside.node }, resolver) }
  }
  const notes = notesOf(declarationsOfMember(property), resolver.project)
  const optional = Boolean(property.flags & ts.SymbolFlags.Optional)
  const plain = optional ? resolveOptional(type, inside, resolver) : resolver.resolve(type, inside)
  const resolved = resolver.constrainer.withMemberTags(plain, property, inside)
  const all = beside.reduce((type, each) => withIndexType(type, each, inside, resolver, property), resolved)
  return { name, type: all, ...(optional ? { optional } : {}), ...notes }
}

/** Returns the member's declaration if it is the user's and declares this type without a type argument or a mapping. */
function whereDeclared(
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
function rejectMember(property: ts.Symbol, place: Place, { path }: Place, resolver: Resolver): ModelType | undefined {
  if (isKeyedBySymbol(property)) {
    const key = keySymbolOf(property)
    return rejectSymbols({ ...place, path }, resolver, key && !isOfPlatform(key, resolver.project))
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

function rejectPrivate(place: Place, { reject }: Resolver): ModelType {
  return reject(place, 'RPC121', 'a class with private state is not supported', privateHint)
}

const privateHint = 'declare an interface of its data, or give the class a codec: `scalars` in rpc.config'

function isUserNamed(type: ts.Type, { project }: Resolver): boolean {
  const source = nameSymbol(type)?.declarations?.[0]?.getSourceFile()
  return source !== undefined && !project.program.isSourceFileDefaultLibrary(source)
}

/** True for `{}`, which accepts every value but null and undefined; an interface without members is meant as an empty object. */
function isEmptyObject(type: ts.Type): boolean {
  return !type.isClassOrInterface() && !type.aliasSymbol
}

/** Returns the platform class that declares a method: mapped types over a number or over bytes have such members. */
function platformMethodOf({ declarations }: ts.Symbol, { project }: Resolver): string | undefined {
  const [declaration] = declarations ?? []
  if (!declaration || !(ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration))) return undefined
  const { parent } = declaration
  if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) return undefined
  return isPlatformSource(parent.getSourceFile(), project.program) ? parent.name?.text : undefined
}

function rejectPlatform(name: string, type: ts.Type, place: Place, { project, reject }: Resolver): ModelType {
  const source = type.symbol?.declarations?.[0]?.getSourceFile()
  const hint = type.isIntersection()
    ? `${name} cannot be intersected with another type: use it alone${/^(?:Readonly)?Array$/.test(name) ? ', as in [T, ...T[]] or T[] & MinItems<1>' : ''}`
    : source && project.program.isSourceFileDefaultLibrary(source)
      ? `Partial, Readonly, Pick and the like are for structs: write the type itself${name === 'Array' ? ', or readonly before it' : ''}`
      : `a mapped type was applied to ${name}: return ${name} unchanged first: ${keptFirst(name)}`
  return reject(place, 'RPC121', `an object with the methods of ${name} is not supported`, hint)
}

/** Returns the correction of a conditional type, for which an Int is an object too, because it is a number with a tag. */
function keptFirst(name: string): string {
  return `T extends ${keptAs[name.replace(/^Readonly/, '')] ?? name} ? T : …`
}

const primitiveTypes = 'number | string | boolean'

/** What a type extends if it is one of a platform's, where that is not the name alone. */
const keptAs: Readonly<Record<string, string>> = {
  ...{ Number: primitiveTypes, String: primitiveTypes, Boolean: primitiveTypes, BigInt: primitiveTypes },
  ...{ Array: 'readonly unknown[]', Map: 'ReadonlyMap<unknown, unknown>', Set: 'ReadonlySet<unknown>' },
}
