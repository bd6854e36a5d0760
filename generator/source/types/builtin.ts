// Classes of the platform: `Date`, `URL`, the bytes, `Map` and `Set` have a wire form, others are rejected:
//
//   Map<string, Date>  →  { kind: 'map', value: { kind: 'date' } }
import { ts } from 'ts-morph'
import type { BytesClass, Keys } from '../../../runtime/values/types.js'
import { type ModelType, placeholderType } from '../../model/model.js'
import { quote } from '../../text.js'
import { scalarTagOf } from '../constraints/constraint-types.js'
import { isList, literalValueOf, memberTypeOf } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { isOfPlatform } from '../program/sources.js'
import { numberKeys, rejectKey, unbranded } from './index-signature.js'
import { rejectFunction } from './rejected.js'
import type { KindResult, ResolveKind, Resolver } from './resolver-interface.js'
import { quotePattern, templatePattern, templateText } from './template.js'

/** Resolves Date, URL, the bytes, Map and Set: classes of the platform, not user types of the same name. */
export const resolveBuiltin: ResolveKind = (type, place, resolver) => {
  const symbol = type.getSymbol()
  if (!symbol || !isPlatformSymbol(symbol, resolver) || isConstructor(type)) return undefined
  const resolve = builtins[symbol.name]
  if (resolve) return resolve(type, place, resolver)
  if (isList(type, resolver.checker) || !isPlatformClass(type, resolver)) return undefined
  const hint = hintForBuiltin(symbol.name, type, itemTypeOf(type, resolver.checker), resolver)
  return resolver.reject(place, 'RPC121', `${symbol.name} is not supported`, hint)
}

function hintForBuiltin(name: string, type: ts.Type, item: ts.Type | undefined, resolver: Resolver): string {
  if (item) return isStream(type, item, resolver) ? streamHint : subscriptionHint
  if (/^Promise(?:Like)?$/.test(name))
    return 'declare the type of its value, and await it before it is passed or returned'
  if (name === 'Request') return 'declare a parameter context: RpcContext, and read context.request'
  if (/^(?:Generator|IterableIterator|IteratorObject)$/.test(name))
    return 'return a list: Item[]; or make it an async function*, which is a subscription'
  if (/^(?:String|Number|Boolean|BigInt)$/.test(name)) return `write ${name.toLowerCase()}`
  return /^(?:ArrayLike|Iterable)$/.test(name) ? 'declare a list: Item[]' : 'turn it into strings, numbers and structs'
}

const subscriptionHint =
  'return it from the function itself, as the only type of the result: that makes the function a subscription'

/** `typeof URL` has the symbol of its instances. Asking a list for signatures would make the types of all its methods. */
function isConstructor(type: ts.Type): boolean {
  const isReference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference
  return !isReference && type.getConstructSignatures().length > 0
}

/** True if the platform declares a type that has values of a class, or methods, or whose values are lists: it is more than data. */
export function isPlatformClass(type: ts.Type, resolver: Resolver): boolean {
  const symbol = type.getSymbol()
  if (!symbol || !isPlatformSymbol(symbol, resolver)) return false
  return Boolean(symbol.flags & ts.SymbolFlags.Value) || symbol.name === 'ArrayLike' || hasMethods(type, resolver)
}

function hasMethods(type: ts.Type, { checker }: Resolver): boolean {
  return checker.getPropertiesOfType(type).some((property) => property.flags & ts.SymbolFlags.Method)
}

const builtins: Readonly<Record<string, (type: ts.Type, place: Place, resolver: Resolver) => KindResult>> = {
  Date: () => ({ kind: 'date' }),
  URL: () => ({ kind: 'url' }),
  Uint8Array: (type, _place, resolver) => bytes('Uint8Array', type, resolver),
  Buffer: (type, _place, resolver) => bytes('Buffer', type, resolver),
  ArrayBuffer: () => ({ kind: 'bytes', as: 'ArrayBuffer' }),
  Set: setOf,
  ReadonlySet: setOf,
  Map: mapOf,
  ReadonlyMap: mapOf,
  Function: (_type, place, resolver) => rejectFunction(place, resolver),
  Object: (_type, place, { reject }) =>
    reject(place, 'RPC121', 'Object does not declare its members', 'declare the members, or unknown'),
}

/** True for a supported class of the platform. */
export function isBuiltin(type: ts.Type, resolver: Resolver): boolean {
  const name = type.symbol?.name ?? ''
  return (
    Object.hasOwn(builtins, name) && name !== 'Function' && name !== 'Object' && isPlatformSymbol(type.symbol, resolver)
  )
}

/** `Uint8Array<ArrayBuffer>` is written once, as a named type: `Uint8Array` would be wider. */
function bytes(as: BytesClass, type: ts.Type, { checker }: Resolver): KindResult {
  const plain: ModelType = { kind: 'bytes', as }
  const [memory] = checker.getTypeArguments(type as ts.TypeReference)
  return memory && memory.aliasSymbol?.name !== 'ArrayBufferLike' ? { define: () => plain } : plain
}

function setOf(type: ts.Type, place: Place, resolver: Resolver): ModelType {
  const [element] = resolver.checker.getTypeArguments(type as ts.TypeReference)
  return element
    ? { kind: 'set', element: resolver.resolveInner(element, place, '[]'), ...readonlyOf(type) }
    : placeholderType
}

function mapOf(type: ts.Type, place: Place, resolver: Resolver): KindResult {
  const [key, value] = resolver.checker.getTypeArguments(type as ts.TypeReference)
  const keys = key && mapKeysOf(key, resolver.checker)
  if (!key || !value || !keys) {
    const message = 'the keys of a Map are members of an object: they have to be all strings or all numbers'
    return resolver.reject(place, 'RPC121', message, 'declare Map<string, …>, or a list of pairs: [key, value][]')
  }
  rejectKey(key, place, resolver)
  const define = (at: Place): ModelType => ({
    kind: 'map',
    value: resolver.resolveInner(value, at, '[]'),
    ...(keys === 'any' ? {} : { keys }),
    ...readonlyOf(type),
  })
  // A Map keyed by the base type of an enum or a brand would be wider.
  return isPlainKey(key) ? define(place) : { define }
}

/** The known keys of a Map: any text, or a list. */
type MapKeys = 'any' | Keys

/** The texts of 32-bit integers. */
const intKeys = '^(?:0|-?[1-9]\\d{0,9})$'

/** Returns the keys of a Map, which are members of an object on the wire; undefined if they are neither texts nor numbers. */
function mapKeysOf(key: ts.Type, checker: ts.TypeChecker): MapKeys | undefined {
  const keys = (key.isUnion() ? key.types : [key]).map((each) => mapKeys(each, checker))
  if (keys.includes('any')) return keys.every((each) => each && (each === 'any' || !each.numeric)) ? 'any' : undefined
  const known = keys.filter((each) => each !== undefined && each !== 'any')
  const [first] = known
  if (!first || known.length < keys.length || known.some(({ numeric }) => numeric !== first.numeric)) return undefined
  if (known.length === 1) return first
  const text = known.map((each) => each.text).join(' | ')
  return { ...first, text, pattern: known.map(({ pattern }) => pattern).join('|') }
}

function mapKeys(type: ts.Type, checker: ts.TypeChecker): MapKeys | undefined {
  if (type.isStringLiteral()) return { text: quote(type.value), pattern: `^${quotePattern(type.value)}$` }
  if (type.isNumberLiteral()) {
    const text = `${type.value}`
    return { text, pattern: `^${quotePattern(text)}$`, numeric: 'number' }
  }
  if (scalarTagOf(type, checker) === 'int') return { text: 'number', pattern: intKeys, numeric: 'int' }
  const base = unbranded(type)
  if (base !== type) return mapKeys(base, checker)
  if (type.flags & ts.TypeFlags.String) return 'any'
  if (type.flags & ts.TypeFlags.Number) return { text: 'number', pattern: numberKeys, numeric: 'number' }
  const pattern = templatePattern(type)
  return pattern === undefined ? undefined : { text: templateText(type, checker), pattern }
}

function isPlainKey(key: ts.Type): boolean {
  const isOwn = (each: ts.Type) => unbranded(each) !== each || each.flags & ts.TypeFlags.EnumLike
  return !(key.isUnion() ? [key, ...key.types] : [key]).some(isOwn)
}

function readonlyOf(type: ts.Type): { readonly readonly?: boolean } {
  return type.symbol.name.startsWith('Readonly') ? { readonly: true } : {}
}

/** True for a declaration of the language's library, or of the types of Node. `Pick` and the like are aliases and do not count. */
export function isPlatformSymbol(symbol: ts.Symbol, { project }: Resolver): boolean {
  const classLike = symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)
  const [declaration] = symbol.declarations ?? []
  return classLike !== 0 && declaration !== undefined && isOfPlatform(declaration, project)
}

/** True for a stream and the like: classes of the platform that can be iterated, and those of others whose items have no type. */
export function isStream(type: ts.Type, item: ts.Type, { checker, project }: Resolver): boolean {
  const owner = iteratorOf(type, checker)?.declarations?.[0]?.parent
  if (!owner || (ts.isInterfaceDeclaration(owner) && /^Async(?:Iter|Generator)/.test(owner.name.text))) return false
  return isOfPlatform(owner, project) || Boolean(item.flags & ts.TypeFlags.Any)
}

/** Returns the name of a member that is data, as `total` of a list of rows that arrive one by one; that of a class may be private. */
export function dataMemberOf(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  const isData = (each: ts.Symbol) =>
    !each.escapedName.toString().startsWith('__') &&
    !each.declarations?.some((declaration) => ts.getCombinedModifierFlags(declaration) & hidden) &&
    checker.getNonNullableType(checker.getTypeOfSymbol(each)).getCallSignatures().length === 0
  return checker.getPropertiesOfType(type).find(isData)?.name
}

/** What to do instead of returning a stream. */
export const streamHint = 'return bytes, or an async generator of a declared type'

/** Returns the type of the items of an AsyncIterable, such as an AsyncGenerator; undefined for other types. */
export function itemTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (isList(type, checker)) return undefined
  const iterable = iteratorOf(type, checker)
  const iterator = iterable && returnTypeOf(checker.getTypeOfSymbol(iterable))
  const next = iterator && checker.getPropertyOfType(iterator, 'next')
  const promise = next && returnTypeOf(checker.getTypeOfSymbol(next))
  const result = promise && checker.getAwaitedType(promise)
  if (!result) return undefined
  const results = (result.isUnion() ? result.types : [result]).filter((each) => !isReturnResult(each, checker))
  const [item, ...others] = new Set(results.flatMap((each) => memberTypeOf(each, 'value', checker) ?? []))
  return others.length === 0 ? item : undefined
}

function iteratorOf(type: ts.Type, checker: ts.TypeChecker): ts.Symbol | undefined {
  return checker.getPropertiesOfType(type).find(({ escapedName }) => `${escapedName}`.startsWith('__@asyncIterator'))
}

function returnTypeOf(method: ts.Type): ts.Type | undefined {
  return method.getCallSignatures()[0]?.getReturnType()
}

/** True for IteratorReturnResult, whose value is not an item. */
function isReturnResult(result: ts.Type, checker: ts.TypeChecker): boolean {
  const done = memberTypeOf(result, 'done', checker)
  return done !== undefined && literalValueOf(done, checker) === true
}
