// Keywords and literals:
//
//   string  →  { kind: 'string' }; 'paid'  →  { kind: 'literal', value: 'paid' }
import { ts } from 'ts-morph'
import type { ScalarKind } from '../../../runtime/values/types.js'
import { literalValueOf } from '../program/checker.js'
import type { ResolveKind } from './resolver-interface.js'
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
