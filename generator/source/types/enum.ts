// Enums, their members, and the names of the values of a type, which an enum or a constant has:
//
//   enum Color { Red = 'r', Blue = 'b' }  →  'r' | 'b', and the names Red and Blue for clients
import { ts } from 'ts-morph'
import type { EnumConstant } from '../../../runtime/values/types.js'
import type { ModelType } from '../../model/model.js'
import { notesOf } from '../comments/notes.js'
import { isList, symbolNamed } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { rejectTooMany } from './rejected.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/** Resolves a whole enum, or one member of it. The checker does not represent an enum of one member as a union. */
export const resolveEnum: ResolveKind = (type, _place, resolver) => {
  if (!(type.flags & ts.TypeFlags.EnumLike) || !type.symbol) return undefined
  const members = membersOf(type, resolver.checker)
  return members && { define: (at) => unionOfValues(type, members, at, resolver) }
}

/** Returns the enum of a member; undefined if the type is not an enum member. */
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

function unionOfValues(type: ts.Type, members: readonly ts.Type[], place: Place, resolver: Resolver): ModelType {
  const tooMany = rejectTooMany('union', members.length, place, resolver)
  if (tooMany) return tooMany
  if (isEmpty(type)) return resolver.reject(place, 'RPC121', 'the enum has no members', 'give it one')
  const values = members.flatMap((member) => (member.isStringLiteral() || member.isNumberLiteral() ? member.value : []))
  if (values.length < members.length || values.length === 0) {
    return resolver.reject(place, 'RPC121', 'the enum has computed members', 'give each member a literal value')
  }
  const infinite = values.find((value) => typeof value === 'number' && !Number.isFinite(value))
  if (infinite !== undefined) {
    const message = `the enum has the value ${infinite}, which JSON does not have`
    return resolver.reject(place, 'RPC121', message, 'give it a finite one')
  }
  const branches: ModelType[] = values.map((value) => ({ kind: 'literal', value }))
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}

/** The enum that a member's symbol belongs to. */
export function enumOf(member: ts.Symbol): ts.Symbol | undefined {
  const declaration = member.valueDeclaration
  if (!declaration || !ts.isEnumMember(declaration)) return undefined
  return (declaration.parent as ts.EnumDeclaration & { symbol?: ts.Symbol }).symbol
}

/** Returns the name of one member of an enum; undefined for other types, and for a whole enum, even if it has only one member. */
export function enumMemberName(type: ts.Type): string | undefined {
  if (!(type.flags & ts.TypeFlags.EnumLiteral) || type.isUnion()) return undefined
  const { valueDeclaration, flags, name } = type.symbol
  if (!(flags & ts.SymbolFlags.EnumMember) || !valueDeclaration || !ts.isEnumMember(valueDeclaration)) return undefined
  return valueDeclaration.parent.members.length === 1 ? undefined : name
}

/**
 * Returns the names of a type's values: those of an enum, or of the constant in `type Level = (typeof Level)[keyof typeof Level]`. Undefined
 * for a type with other values.
 */
export function constantsOf(
  type: ts.Type,
  symbol: ts.Symbol,
  project: OpenProject,
): readonly EnumConstant[] | undefined {
  const declared =
    symbol.flags & ts.SymbolFlags.Enum ? constantsOfEnum(symbol, project) : constantsOfObject(type, symbol, project)
  return declared.length > 0 ? declared : undefined
}

function constantsOfEnum({ declarations = [] }: ts.Symbol, project: OpenProject): EnumConstant[] {
  const members = declarations.flatMap((each) => (ts.isEnumDeclaration(each) ? [...each.members] : []))
  return members.flatMap((member): EnumConstant[] => {
    const value = project.checker.getConstantValue(member)
    const { name } = member
    // Computed members are rejected with the type.
    if (value === undefined || ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name)) return []
    return [enumConstant(name.text, value, [member], project)]
  })
}

/** The members of a constant object with a literal for each value of the type. */
function constantsOfObject(type: ts.Type, symbol: ts.Symbol, project: OpenProject): EnumConstant[] {
  const { checker } = project
  const values = new Set((type.isUnion() ? type.types : [type]).map(literalValue))
  const object = values.has(undefined) ? undefined : objectOf(symbol, checker)
  const all = object ? checker.getPropertiesOfType(object) : []
  const named = all.flatMap((property): EnumConstant[] => {
    const value = literalValue(checker.getTypeOfSymbol(property))
    const { name, declarations = [] } = property
    // Such a name would not be in the order of its declaration.
    if (value === undefined || !values.has(value) || /^\d+$/.test(name)) return []
    return [enumConstant(name, value, declarations, project)]
  })
  return new Set(named.map(({ value }) => value)).size === values.size ? named : []
}

function literalValue(type: ts.Type): string | number | undefined {
  return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined
}

/** The type of the constant that an alias takes its values from, or that has its name. */
function objectOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Type | undefined {
  const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type
  const written = alias && ts.isIndexedAccessTypeNode(alias) ? alias.objectType : undefined
  const query = written && ts.isParenthesizedTypeNode(written) ? written.type : written
  const named = query && ts.isTypeQueryNode(query) ? symbolNamed(query.exprName, checker) : undefined
  const { valueDeclaration } = named ?? symbol
  if (!valueDeclaration || !ts.isVariableDeclaration(valueDeclaration)) return undefined
  const type = checker.getTypeAtLocation(valueDeclaration)
  return isList(type, checker) ? undefined : type
}

function enumConstant(
  name: string,
  value: string | number,
  declarations: readonly ts.Declaration[],
  project: OpenProject,
): EnumConstant {
  const { default: _, ...notes } = notesOf(declarations, project)
  return { name, value, ...notes }
}
