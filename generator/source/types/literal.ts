import { ts } from 'ts-morph'
import type { ResolveKind } from '../resolver.js'
import { templateOf } from './template.js'

/** Literal types, and template literal types. */
export const resolveLiteral: ResolveKind = (type, place, resolver) => {
  if (type.isNumberLiteral() && !Number.isFinite(type.value)) {
    return resolver.refuse(place, 'RPC121', 'the number is more than a double holds', 'write a smaller one')
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return { kind: 'literal', value: type.value }
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return { kind: 'literal', value: resolver.checker.typeToString(type) === 'true' }
  }
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const { negative, base10Value } = (type as ts.BigIntLiteralType).value
    return { kind: 'bigint', value: `${negative ? '-' : ''}${base10Value}` }
  }
  if (type.flags & (ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping)) {
    return templateOf(type, place, resolver)
  }
  return undefined
}
