import { ts } from 'ts-morph'
import { memberPath } from '../../model/path.js'
import { isTypeTag } from '../constraints/type-tags.js'
import type { Place } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { isPlatformSource } from '../project/sources.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { isList } from '../symbols.js'
import { isPlatform } from './builtin.js'

/** The key of a member, as the checker represents it. */
interface Keyed {
  readonly links?: { readonly nameType?: ts.Type }
}

/** Returns the declaration of the symbol that keys a member; undefined if the key is a name. */
export function keySymbolOf(property: ts.Symbol): ts.Declaration | undefined {
  const key = (property as ts.Symbol & Keyed).links?.nameType
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
  const isAmbient = (each: ts.Node) =>
    ts.canHaveModifiers(each) && each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
  return (
    node.getSourceFile().isDeclarationFile || ts.findAncestor(node, (each) => isAmbient(each) ?? false) !== undefined
  )
}

/** Resolves a list, a Date or another platform type with a brand: a separate type, with the wire form of its base type. */
export const resolveBranded: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const [only, second] = type.types.filter((part) => !isBrand(part, resolver))
  if (!only || second || !isOfParts(only, resolver)) return undefined
  const isTagged = type.types.every((part) => part === only || hasTagsAlone(part, resolver))
  return isTagged ? resolver.resolve(only, place) : resolver.named(type, place, (at) => resolver.resolve(only, at))
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
