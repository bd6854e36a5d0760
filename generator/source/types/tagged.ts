// Intersections with a scalar: numbers and texts with constraint types, and brands:
//
//   number & Minimum<1>  →  { kind: 'number' }, to which constraints/ adds the minimum; string & { __brand: 'Sku' }  →  a named string
import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isTaggedText, type TaggedScalar, taggedScalars } from '../../model/tagged-scalars.js'
import { memberPath } from '../../text.js'
import { isTypeTag, scalarTagOf, tagsIn } from '../constraints/constraint-types.js'
import { isFunction, isList, literalValueOf, primitive, symbolLinks } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isPlatformSource } from '../program/sources.js'
import { hasModifier } from '../program/symbols.js'
import { isPlatform } from './builtin.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'
import { templateOf } from './template.js'

/**
 * Resolves Int and Double by their tag, or typia's `Type`, and user brands over them or over a primitive: on
 * the wire they have the form of the base type, in TypeScript they are separate types. The base may be one number: `Int & 404`.
 */
export const resolveTagged: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const parts = type.types.filter((part) => part.flags & primitive)
  const [first] = parts
  if (!first) return undefined
  const narrowed = rejectNarrowed(type, parts, place, resolver)
  if (narrowed) return narrowed
  const tag = scalarTagOf(type, resolver.checker)
  const build = (at: Place): ModelType => {
    if (isTaggedText(tag) && parts.some(({ flags }) => flags & templates))
      return resolver.reject(place, 'RPC121', 'a template literal type does not check the type it is intersected with')
    if (parts.length > 1) return templateOf(type, at, resolver)
    return tag ? resolveTag(tag, first, at, resolver) : resolver.resolve(first, at)
  }
  const isTagged = tagsIn(type, resolver.checker).length > 0
  const isPlain = isTagged || (parts.length > 1 && !type.aliasSymbol)
  if (isPlain && !hasBrand(type, parts, resolver)) return build(place)
  // A brand makes a separate type: a branded enum member is not that member.
  const isMember = parts.length === 1 && Boolean(first.flags & ts.TypeFlags.EnumLiteral)
  return { define: (at) => withoutName(build(at), isMember ? first : undefined) }
}

function withoutName(resolved: ModelType, member: ts.Type | undefined): ModelType {
  const isLiteral = member && (member.isStringLiteral() || member.isNumberLiteral())
  return isLiteral && resolved.kind === 'ref' ? { kind: 'literal', value: member.value } : resolved
}

const templates = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping
const baseFlags = { number: ts.TypeFlags.Number, string: ts.TypeFlags.String } as const

/** Resolves a tag and its base type, which may be a literal. Rejects a literal that the tag does not allow. */
function resolveTag(tag: TaggedScalar, type: ts.Type, place: Place, resolver: Resolver): ModelType {
  const { base, name, accepts, hint } = taggedScalars[tag]
  if (type.flags & baseFlags[base]) return { kind: tag }
  const value = literalValueOf(type, resolver.checker)
  if (typeof value !== base || accepts(value)) return resolver.resolve(type, place)
  const text = resolver.checker.typeToString(type)
  return resolver.reject(place, 'RPC121', `${name} & ${text} has no values`, hint)
}

/** True if the intersection has more parts than the tag and the base types. */
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
  return member === true
    ? resolver.reject(place, 'RPC121', `no ${what} is an object as well`, brandHint)
    : resolver.reject(
        place,
        'RPC121',
        `${member} is a member of every ${what}: narrowed, it would not be validated`,
        hintForTag(member),
      )
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

/** Returns the declaration of the symbol that keys a member; undefined if the key is a name. */
export function keySymbolOf(property: ts.Symbol): ts.Declaration | undefined {
  const key = symbolLinks(property).nameType
  return key && key.flags & ts.TypeFlags.UniqueESSymbol ? key.symbol.valueDeclaration : undefined
}

/**
 * True for a brand: a member keyed by a symbol that is only declared (`declare const brand: unique symbol`), so that no value has it,
 * or an optional member keyed by any symbol of the user's, which no value needs.
 */
export function isPhantom(property: ts.Symbol, project: OpenProject): boolean {
  if (isTypeTag(property)) return true
  const key = keySymbolOf(property)
  if (!key || isOfPlatform(key, project)) return false
  return isOnlyDeclared(key) || Boolean(property.flags & ts.SymbolFlags.Optional)
}

/** `Symbol.iterator` and its like. */
export function isOfPlatform(key: ts.Declaration, { program }: OpenProject): boolean {
  return isPlatformSource(key.getSourceFile(), program)
}

function isOnlyDeclared(node: ts.Node): boolean {
  const isAmbient = (each: ts.Node) => hasModifier(each, ts.SyntaxKind.DeclareKeyword)
  return node.getSourceFile().isDeclarationFile || ts.findAncestor(node, isAmbient) !== undefined
}

/** Resolves a list, a Date or another platform type with a brand: a separate type, with the wire form of its base type. */
export const resolveBranded: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const values = type.types.filter((part) => !isBrand(part, resolver))
  const [only] = values
  if (!only) return undefined
  const define =
    values.length > 1
      ? intersectionOf(type, values, resolver)
      : isOfParts(only, resolver) && ((at: Place) => resolver.resolve(only, at))
  if (!define) return undefined
  const isTagged = type.types.every((part) => values.includes(part) || hasTagsAlone(part, resolver))
  return isTagged ? define(place) : { define }
}

/**
 * Returns how several lists are resolved: arrays as one of the intersection of their elements, tuples and arrays as the narrowest
 * of them, whose elements have all members. Undefined if there is none, or if one of the types is not a list.
 */
function intersectionOf(
  type: ts.IntersectionType,
  lists: readonly ts.Type[],
  resolver: Resolver,
): ((place: Place) => ModelType) | undefined {
  const { checker } = resolver
  if (!lists.every((each) => isList(each, checker))) return undefined
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  if (element && !(element.flags & ts.TypeFlags.Never) && lists.every((each) => checker.isArrayType(each))) {
    const readonly = lists.every(({ symbol }) => symbol.name === 'ReadonlyArray')
    const model = { kind: 'array' as const, ...(readonly ? { readonly } : {}) }
    return (place) => ({ ...model, element: resolver.resolveInner(element, place, '[]') })
  }
  const narrowest = lists.find((each) => lists.every((other) => checker.isTypeAssignableTo(each, other)))
  if (!narrowest) return undefined
  if (!lists.some((each) => mayHaveOtherMembers(each, narrowest, checker)))
    return (place) => resolver.resolve(narrowest, place)
  const message = 'the elements of a tuple are intersected with those of another list, whose members would be dropped'
  return (place) => resolver.reject(place, 'RPC121', message, 'declare one list, whose elements have all members')
}

/** True if the elements of a list may have members that those of a narrower one do not have, such as optional ones. */
function mayHaveOtherMembers(list: ts.Type, narrower: ts.Type, checker: ts.TypeChecker): boolean {
  const own = new Set(checker.getTypeArguments(narrower as ts.TypeReference))
  return checker.getTypeArguments(list as ts.TypeReference).some((each) => !own.has(each) && hasMembers(each))
}

function hasMembers(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(hasMembers)
    : (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()
}

/** True for `MinItems<1>`, which gives a list constraints, but not a name. */
function hasTagsAlone(part: ts.Type, { checker }: Resolver): boolean {
  return checker.getPropertiesOfType(part).every(isTypeTag)
}

/** True if a type is more than its members, so that these are not resolved. */
function isOfParts(type: ts.Type, resolver: Resolver): boolean {
  const { checker } = resolver
  if (isList(type, checker)) return true
  return type.symbol !== undefined && isPlatform(type.symbol, resolver)
}

function isBrand(part: ts.Type, resolver: Resolver): boolean {
  const { checker } = resolver
  const properties = checker.getPropertiesOfType(part)
  const isMore = part.getCallSignatures().length > 0 || checker.getIndexInfosOfType(part).length > 0
  return properties.length > 0 && !isMore && properties.every((each) => isPhantom(each, resolver.project))
}

/**
 * Rejects `User & { __brand: 'User' }`: for TypeScript that member is an ordinary one, which callers would have to send and
 * results to have. A member that is declared together with the others is accepted.
 */
export function rejectNamedBrand(type: ts.Type, place: Place, { checker, reject }: Resolver): void {
  if (!type.isIntersection()) return
  for (const part of type.types) {
    const [only, second] = checker.getPropertiesOfType(part)
    if (!only || second || !/^_+brand_*$/.test(only.name) || only.flags & ts.SymbolFlags.Optional) continue
    const message = `${only.name} is an ordinary member: callers would have to send it, and results to contain it`
    const hint = `key it by a symbol that is only declared: declare const brand: unique symbol, { readonly [brand]: … }`
    reject({ ...place, path: memberPath(place.path, only.name) }, 'RPC121', message, hint)
  }
}
