// Brands: members that no value has, which make a type a separate one for TypeScript:
//
//   declare const brand: unique symbol; string & { readonly [brand]: 'Sku' }  →  a string, of which clients know the brand
import { ts } from 'ts-morph'
import type { BrandMember } from '../../model/model.js'
import { memberKey, memberPath, quote } from '../../text.js'
import { isTypeTag } from '../constraints/constraint-types.js'
import {
  hasModifier,
  isFunction,
  objectLikeFlags,
  primitiveFlags,
  symbolLinks,
  textOfType,
} from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isOfPlatform } from '../program/sources.js'
import type { Resolver } from './resolver-interface.js'

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
  return isTypeTag(property) || isKeyedByBrand(property, project)
}

function isKeyedByBrand(property: ts.Symbol, project: OpenProject): boolean {
  const key = keySymbolOf(property)
  // Not `Symbol.iterator` and its like.
  if (!key || isOfPlatform(key, project)) return false
  return isOnlyDeclared(key) || Boolean(property.flags & ts.SymbolFlags.Optional)
}

function isOnlyDeclared(node: ts.Node): boolean {
  const isAmbient = (each: ts.Node) => hasModifier(each, ts.SyntaxKind.DeclareKeyword)
  return node.getSourceFile().isDeclarationFile || ts.findAncestor(node, isAmbient) !== undefined
}

/** True for a type whose members are all those of brands. */
export function isBrand(part: ts.Type, { checker, project }: Resolver): boolean {
  const properties = checker.getPropertiesOfType(part)
  const isMore = part.getCallSignatures().length > 0 || checker.getIndexInfosOfType(part).length > 0
  return properties.length > 0 && !isMore && properties.every((each) => isPhantom(each, project))
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

/**
 * Returns the members by which a brand makes a type a separate one, `{ readonly [brand]: 'OrderId' }`, so that a generated client
 * can declare them too. Constraint types are not brands: plain values are assignable to them. Undefined without a brand.
 */
export function brandOf(type: ts.Type, project: OpenProject): { readonly brand?: readonly BrandMember[] } {
  const members = new Map<string, BrandMember>()
  for (const property of brandsOf(type, project)) {
    const declared = keySymbolOf(property)
    const symbol = declared && brandSymbol(declared, project)
    const member: BrandMember = {
      ...(symbol ? { symbol } : { name: property.name }),
      ...(property.flags & ts.SymbolFlags.Optional ? { optional: true } : {}),
      ...valueTextOf(property, project),
    }
    const id = JSON.stringify(symbol ?? property.name)
    const other = members.get(id)
    // Two brands with one key, as those of zod: both apply.
    const both = other?.text && member.text && other.text !== member.text ? `${other.text} & ${member.text}` : undefined
    members.set(id, both === undefined ? member : { ...member, text: both })
  }
  return members.size === 0 ? {} : { brand: [...members.values()] }
}

/** Beside a primitive every member is a brand; beside members only those that no value has are. */
function brandsOf(type: ts.Type, project: OpenProject): readonly ts.Symbol[] {
  const { checker } = project
  const parts = type.isIntersection() ? type.types : [type]
  const isOver = parts.some((part) => part.flags & primitiveFlags)
  return parts.flatMap((part) => {
    if (!(part.flags & objectLikeFlags)) return []
    const properties = checker.getPropertiesOfType(part)
    return properties.filter((each) => (isOver || isKeyedByBrand(each, project)) && !isTypeTag(each))
  })
}

/** A symbol is identified by its module, and the declarations that contain it: `ids.brand`. */
function brandSymbol(key: ts.Node, { moduleOf }: OpenProject): NonNullable<BrandMember['symbol']> {
  const names: string[] = []
  for (let node: ts.Node | undefined = key; node && !ts.isSourceFile(node); node = node.parent) {
    const name = ts.getNameOfDeclaration(node as ts.Declaration)
    if (name && ts.isIdentifier(name)) names.unshift(name.text)
  }
  return { module: moduleOf(key.getSourceFile()), path: names.join('.') }
}

/** Returns the type of a brand's member: a symbol, or a text. What a client cannot declare is a literal with its text. */
function valueTextOf(property: ts.Symbol, project: OpenProject): Pick<BrandMember, 'text' | 'valueSymbol'> {
  const { checker } = project
  const declared = checker.getTypeOfSymbol(property)
  const type = property.flags & ts.SymbolFlags.Optional ? checker.getNonNullableType(declared) : declared
  const declaration = type.flags & ts.TypeFlags.UniqueESSymbol ? type.symbol?.valueDeclaration : undefined
  if (declaration) return { valueSymbol: brandSymbol(declaration, project) }
  const text = brandText(type, checker, 0) ?? quote(textOfType(type, checker))
  return { text }
}

const keywords =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.String |
  ts.TypeFlags.Number |
  ts.TypeFlags.BigInt |
  ts.TypeFlags.Boolean |
  ts.TypeFlags.ESSymbol |
  ts.TypeFlags.Void |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Null |
  ts.TypeFlags.Never |
  ts.TypeFlags.BooleanLiteral |
  ts.TypeFlags.BigIntLiteral

/** Deeper types of brands are written as a literal. */
const MAX_BRAND_DEPTH = 3

/** Returns the text of a type that refers to no declaration: keywords, literals, and objects of these. */
function brandText(type: ts.Type, checker: ts.TypeChecker, depth: number): string | undefined {
  if (type.isStringLiteral()) return quote(type.value)
  if (type.isNumberLiteral()) return String(type.value)
  if (type.flags & keywords) return checker.typeToString(type)
  if (depth > MAX_BRAND_DEPTH) return undefined
  if (type.isUnion() || type.isIntersection()) {
    const parts = type.types.map((each) => brandText(each, checker, depth + 1))
    if (parts.includes(undefined)) return undefined
    return `(${parts.sort().join(type.isUnion() ? ' | ' : ' & ')})`
  }
  const isData = type.flags & ts.TypeFlags.Object && !checker.isArrayLikeType(type)
  if (!isData || isFunction(type) || checker.getIndexInfosOfType(type).length > 0) return undefined
  const members = checker.getPropertiesOfType(type).map((property) => {
    const text = keySymbolOf(property) ? undefined : brandText(checker.getTypeOfSymbol(property), checker, depth + 1)
    return text === undefined ? undefined : `readonly ${memberKey(property.name)}: ${text}`
  })
  return members.includes(undefined) ? undefined : `{ ${members.join('; ')} }`
}
