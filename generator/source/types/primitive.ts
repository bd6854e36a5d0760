import { ts } from 'ts-morph'
import type { ScalarKind } from '../../../runtime/values/types.js'
import type { ResolveKind } from '../resolver.js'

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

/** The types that TypeScript has words of its own for. */
export const resolvePrimitive: ResolveKind = (type) => {
  const found = byFlag.find(([flag]) => type.flags & flag)
  return found && { kind: found[1] }
}
