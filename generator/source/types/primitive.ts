// Keywords, literals and enums:
//
//   string  →  { kind: 'string' }; 'paid'  →  { kind: 'literal', value: 'paid' }
import { ts } from 'ts-morph'
import type { ScalarKind } from '../../../runtime/values/types.js'
import type { ModelType } from '../../model/model.js'
import { literalValueOf } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import { enumOf } from './naming.js'
import { rejectTooLong } from './rejected.js'
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

/** Resolves a whole enum, or one member of it. The checker does not represent an enum of one member as a union. */
export const resolveEnum: ResolveKind = (type, _place, resolver) => {
  if (!(type.flags & ts.TypeFlags.EnumLike) || !type.symbol) return undefined
  const members = enumMembers(type, resolver.checker)
  return members && { define: (at) => enumModel(type, members, at, resolver) }
}

/** Returns the enum of a member; undefined if the type is not an enum member. */
export function enumTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLiteral) || !(type.symbol?.flags & ts.SymbolFlags.EnumMember)) return undefined
  const symbol = enumOf(type.symbol)
  return symbol && checker.getDeclaredTypeOfSymbol(symbol)
}

function enumMembers(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] | undefined {
  if (type.flags & ts.TypeFlags.Enum) return []
  const isEnum = type.symbol.flags & ts.SymbolFlags.Enum
  if (type.isUnion()) return isEnum ? type.types : undefined
  return enumTypeOf(type, checker) || isEnum ? [type] : undefined
}

function isEmpty({ symbol: { declarations = [] } }: ts.Type): boolean {
  return declarations.every((each) => ts.isEnumDeclaration(each) && each.members.length === 0)
}

function enumModel(type: ts.Type, members: readonly ts.Type[], place: Place, resolver: Resolver): ModelType {
  const tooLong = rejectTooLong(members.length, place, resolver)
  if (tooLong) return tooLong
  if (isEmpty(type)) return resolver.reject(place, 'RPC121', 'the enum has no members', 'give it one')
  const values = members.flatMap((member) => (member.isStringLiteral() || member.isNumberLiteral() ? member.value : []))
  if (values.length < members.length || values.length === 0) {
    return resolver.reject(place, 'RPC121', 'the enum has computed members', 'give each member a literal value')
  }
  const infinite = values.find((value) => typeof value === 'number' && !Number.isFinite(value))
  if (infinite !== undefined) {
    return resolver.reject(
      place,
      'RPC121',
      `the enum has the value ${infinite}, which JSON does not have`,
      'give it a finite one',
    )
  }
  const branches: ModelType[] = values.map((value) => ({ kind: 'literal', value }))
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}
