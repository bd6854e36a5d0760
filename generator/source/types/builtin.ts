import { ts } from 'ts-morph'
import type { BytesClass } from '../../../runtime/manifest.js'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolve.js'

/** Date, the bytes, Map and Set: classes of the platform, never the user's own of the same name. */
export const resolveBuiltin: ResolveKind = (type, place, resolver) => {
  const symbol = type.getSymbol()
  if (!symbol || !isPlatform(symbol, resolver)) return undefined
  const resolve = builtins[symbol.name]
  if (resolve) return resolve(type, place, resolver)
  if (!(symbol.flags & ts.SymbolFlags.Value) || transparent.has(symbol.name)) return undefined
  return resolver.refuse(place, 'RPC121', `${symbol.name} cannot travel`, 'turn it into strings, numbers and structs')
}

/** What is an interface of the library and yet plain to the kinds that follow. */
const transparent = new Set(['Array', 'Object', 'Function', 'CallableFunction', 'NewableFunction'])

const builtins: Readonly<Record<string, (type: ts.Type, place: Place, resolver: Resolver) => ModelType>> = {
  Date: () => ({ kind: 'date' }),
  Uint8Array: () => bytes('Uint8Array'),
  Buffer: () => bytes('Buffer'),
  ArrayBuffer: () => bytes('ArrayBuffer'),
  Set: setOf,
  ReadonlySet: setOf,
  Map: mapOf,
  ReadonlyMap: mapOf,
  Object: (_type, place, { refuse }) =>
    refuse(place, 'RPC121', 'Object does not say which members it has', 'declare the members, or unknown'),
}

function bytes(as: BytesClass): ModelType {
  return { kind: 'bytes', as }
}

function setOf(type: ts.Type, place: Place, resolver: Resolver): ModelType {
  const [element] = resolver.checker.getTypeArguments(type as ts.TypeReference)
  return element ? { kind: 'set', element: resolver.resolvePart(element, place, '[]') } : { kind: 'any' }
}

function mapOf(type: ts.Type, place: Place, resolver: Resolver): ModelType {
  const [key, value] = resolver.checker.getTypeArguments(type as ts.TypeReference)
  if (!key || !value || !(key.flags & ts.TypeFlags.String)) {
    return resolver.refuse(
      place,
      'RPC121',
      'a Map travels as an object: its keys are strings',
      'declare Map<string, …>',
    )
  }
  return { kind: 'map', value: resolver.resolvePart(value, place, '[]') }
}

/** Declared by the language's own library, or by the types of Node: `Pick` and its like are not, they are aliases. */
function isPlatform(symbol: ts.Symbol, { project }: Resolver): boolean {
  const classLike = symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)
  const source = symbol.declarations?.[0]?.getSourceFile()
  if (!classLike || !source) return false
  return project.program.isSourceFileDefaultLibrary(source) || /\/node_modules\/@types\/node\//.test(source.fileName)
}
