import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { enumOf } from '../naming.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolver.js'
import { refuseTooLong } from './too-long.js'

/** A whole enum, or one member of it. An enum of one member is no union. */
export const resolveEnum: ResolveKind = (type, place, resolver) => {
  if (!(type.flags & ts.TypeFlags.EnumLike) || !type.symbol) return undefined
  const members = membersOf(type, resolver.checker)
  return members && resolver.named(type, place, (at) => literals(type, members, at, resolver))
}

/** The enum type that a member belongs to; undefined when the type is no enum member. */
export function enumTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLiteral) || !(type.symbol?.flags & ts.SymbolFlags.EnumMember)) return undefined
  const symbol = enumOf(type.symbol)
  return symbol && checker.getDeclaredTypeOfSymbol(symbol)
}

function membersOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] | undefined {
  if (type.flags & ts.TypeFlags.Enum) return []
  const isEnum = type.symbol.flags & ts.SymbolFlags.Enum
  if (type.isUnion()) return isEnum ? type.types : undefined
  return enumTypeOf(type, checker) || isEnum ? [type] : undefined
}

function isEmpty({ symbol: { declarations = [] } }: ts.Type): boolean {
  return declarations.every((each) => ts.isEnumDeclaration(each) && each.members.length === 0)
}

function literals(type: ts.Type, members: readonly ts.Type[], place: Place, resolver: Resolver): ModelType {
  const tooLong = refuseTooLong(members.length, place, resolver)
  if (tooLong) return tooLong
  if (isEmpty(type)) return resolver.refuse(place, 'RPC121', 'the enum has no members', 'give it one')
  const values = members.flatMap((member) => (member.isStringLiteral() || member.isNumberLiteral() ? member.value : []))
  if (values.length < members.length || values.length === 0) {
    return resolver.refuse(place, 'RPC121', 'the enum has computed members', 'give each member a literal value')
  }
  const branches: ModelType[] = values.map((value) => ({ kind: 'literal', value }))
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}
