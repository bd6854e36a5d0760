// Primitives: keywords, literals, and intersections with one of these, which have constraint types or a brand:
//
//   string  →  { kind: 'string' }; 'paid'  →  { kind: 'literal', value: 'paid' }
//   number & Minimum<1>  →  { kind: 'number' }, to which constraints/ adds the minimum; string & { __brand: 'Sku' }  →  a named string
import { ts } from 'ts-morph'
import type { ScalarKind } from '../../../runtime/values/types.js'
import type { ModelType } from '../../model/model.js'
import { type TaggedScalar, taggedScalars } from '../../model/tagged-scalars.js'
import { isTypeTag, scalarTagOf, tagsIn } from '../constraints/constraint-types.js'
import { isFunction, isList, literalValueOf, primitiveFlags } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { isBrand } from './brand.js'
import { isPlatformSymbol } from './builtin.js'
import { intersectedLists } from './list.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { templateOf } from './template.js'

const byFlag: readonly [flag: ts.TypeFlags, kind: ScalarKind | 'bigint'][] = [
  [ts.TypeFlags.Any, 'any'],
  [ts.TypeFlags.Unknown, 'any'],
  [ts.TypeFlags.String, 'string'],
  [ts.TypeFlags.Number, 'number'],
  [ts.TypeFlags.BigInt, 'bigint'],
  [ts.TypeFlags.Boolean, 'boolean'],
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.Undefined, 'undefined'],
  [ts.TypeFlags.Void, 'void'],
]

/** The types that TypeScript has keywords for. */
export const resolvePrimitive: ResolveKind = (type) => {
  const found = byFlag.find(([flag]) => type.flags & flag)
  return found && { kind: found[1] }
}

/** Literal types, and template literal types. */
export const resolveLiteral: ResolveKind = (type, place, resolver) => {
  if (type.isNumberLiteral() && !Number.isFinite(type.value)) {
    return resolver.reject(place, 'RPC121', 'the number exceeds the range of a double', 'write a smaller one')
  }
  const value = literalValueOf(type, resolver.checker)
  if (typeof value === 'bigint') return { kind: 'bigint', value: `${value}` }
  if (value !== undefined) return { kind: 'literal', value }
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) {
    return templateOf(type, place, resolver)
  }
  return undefined
}

/**
 * Resolves Int and Double by their tag, or typia's `Type`, and user brands over them or over a primitive: on
 * the wire they have the form of the base type, in TypeScript they are separate types. The base may be one number: `Int & 404`.
 */
export const resolvePrimitiveIntersection: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const parts = type.types.filter((part) => part.flags & primitiveFlags)
  const [first] = parts
  if (!first) return undefined
  const narrowed = rejectNarrowed(type, parts, place, resolver)
  if (narrowed) return narrowed
  const tag = scalarTagOf(type, resolver.checker)
  const resolveBase = (at: Place): ModelType => {
    if (parts.length > 1) return templateOf(type, at, resolver)
    return tag ? resolveTag(tag, first, at, resolver) : resolver.resolve(first, at)
  }
  const isTagged = tagsIn(type, resolver.checker).length > 0
  const isPlain = isTagged || (parts.length > 1 && !type.aliasSymbol)
  if (isPlain && !hasBrand(type, parts, resolver)) return resolveBase(place)
  // A brand makes a separate type: a branded enum member is not that member.
  const isMember = parts.length === 1 && Boolean(first.flags & ts.TypeFlags.EnumLiteral)
  return { define: (at) => (isMember ? valueOfMember(resolveBase(at), first) : resolveBase(at)) }
}

function valueOfMember(resolved: ModelType, member: ts.Type): ModelType {
  const isLiteral = member.isStringLiteral() || member.isNumberLiteral()
  return isLiteral && resolved.kind === 'ref' ? { kind: 'literal', value: member.value } : resolved
}

const flagOfBase = { number: ts.TypeFlags.Number, string: ts.TypeFlags.String } as const

/** Resolves a tag and its base type, which may be a literal. Rejects a literal that the tag does not allow. */
function resolveTag(tag: TaggedScalar, type: ts.Type, place: Place, resolver: Resolver): ModelType {
  const { name, base, accepts, hint } = taggedScalars[tag]
  if (type.flags & flagOfBase[base]) return { kind: tag }
  const value = literalValueOf(type, resolver.checker)
  if (typeof value !== base || accepts(value)) return resolver.resolve(type, place)
  const text = resolver.checker.typeToString(type)
  return resolver.reject(place, 'RPC121', `${name} & ${text} has no values`, hint)
}

/** True if the intersection has more parts than constraint types and the given ones. */
function hasBrand({ types }: ts.IntersectionType, parts: readonly ts.Type[], { checker }: Resolver): boolean {
  const others = types.filter((part) => !parts.includes(part))
  return others.some((part) => checker.getPropertiesOfType(part).some((property) => !isTypeTag(property)))
}

/**
 * Rejects parts that narrow a string or a number other than by a brand, as `string & { length: 5 }`: the rule would be dropped.
 * `parts` are the primitive parts of the intersection.
 */
function rejectNarrowed(
  type: ts.IntersectionType,
  parts: readonly ts.Type[],
  place: Place,
  resolver: Resolver,
): ModelType | undefined {
  const [over] = parts
  const others = type.types.filter((part) => !parts.includes(part))
  const member = over && others.map((each) => narrowedMember(each, over, resolver)).find(Boolean)
  if (!member) return undefined
  const what = resolver.checker.typeToString(resolver.checker.getBaseTypeOfLiteralType(over))
  if (member === true) return resolver.reject(place, 'RPC121', `no ${what} is an object as well`, brandHint)
  const message = `${member} is a member of every ${what}: narrowed, it would not be validated`
  return resolver.reject(place, 'RPC121', message, hintForTag(member))
}

const brandHint = 'for a brand, use a member that no value has: { readonly [brand]: true }'

function hintForTag(name: string): string {
  return name === 'length' ? 'use MinLength and MaxLength' : `use Pattern, Minimum or Maximum; ${brandHint}`
}

/** Returns the member that a part narrows; true if the part has more than members. */
function narrowedMember(part: ts.Type, over: ts.Type, { checker }: Resolver): string | true | undefined {
  if (isFunction(part) || checker.getIndexInfosOfType(part).length > 0) return true
  const apparent = checker.getApparentType(over)
  return checker.getPropertiesOfType(part).find((property) => {
    const own = checker.getPropertyOfType(apparent, property.name)
    return own && !checker.isTypeAssignableTo(checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(property))
  })?.name
}

/** Resolves a list, a Date or another platform type with a brand: a separate type, with the wire form of its base type. */
export const resolveBranded: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const values = type.types.filter((part) => !isBrand(part, resolver))
  const [only] = values
  if (!only) return undefined
  const define =
    values.length > 1
      ? intersectedLists(type, values, resolver)
      : isOfParts(only, resolver) && ((at: Place) => resolver.resolve(only, at))
  if (!define) return undefined
  // `MinItems<1>` gives a list constraints, but not a name.
  return hasBrand(type, values, resolver) ? { define } : define(place)
}

/** True if a type is more than its members, so that these are not resolved. */
function isOfParts(type: ts.Type, resolver: Resolver): boolean {
  const { checker } = resolver
  if (isList(type, checker)) return true
  return type.symbol !== undefined && isPlatformSymbol(type.symbol, resolver)
}
