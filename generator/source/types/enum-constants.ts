import { ts } from 'ts-morph'
import type { EnumConstant } from '../../../runtime/values/types.js'
import { notesOf } from '../comments/notes.js'
import { isList } from '../program/checker.js'
import type { OpenProject } from '../program/project.js'
import { unaliased } from '../program/symbols.js'

/**
 * Returns the names of a type's values: those of an enum, or of the constant in `type Level = (typeof Level)[keyof typeof Level]`. Undefined
 * for a type with other values.
 */
export function constantsOf(
  type: ts.Type,
  symbol: ts.Symbol,
  project: OpenProject,
): readonly EnumConstant[] | undefined {
  const declared = symbol.flags & ts.SymbolFlags.Enum ? ofEnum(symbol, project) : ofConstant(type, symbol, project)
  return declared.length > 0 ? declared : undefined
}

function ofEnum({ declarations = [] }: ts.Symbol, project: OpenProject): EnumConstant[] {
  const members = declarations.flatMap((each) => (ts.isEnumDeclaration(each) ? [...each.members] : []))
  return members.flatMap((member): EnumConstant[] => {
    const value = project.checker.getConstantValue(member)
    const { name } = member
    // Computed members are rejected with the type.
    if (value === undefined || ts.isComputedPropertyName(name) || ts.isPrivateIdentifier(name)) return []
    return [constant(name.text, value, [member], project)]
  })
}

/** The members of a constant object with a literal for each value of the type. */
function ofConstant(type: ts.Type, symbol: ts.Symbol, project: OpenProject): EnumConstant[] {
  const { checker } = project
  const values = new Set((type.isUnion() ? type.types : [type]).map(literalValue))
  const object = values.has(undefined) ? undefined : constantOf(symbol, checker)
  const all = object ? checker.getPropertiesOfType(object) : []
  const named = all.flatMap((property): EnumConstant[] => {
    const value = literalValue(checker.getTypeOfSymbol(property))
    const { name, declarations = [] } = property
    // Such a name would not be in the order of its declaration.
    if (value === undefined || !values.has(value) || /^\d+$/.test(name)) return []
    return [constant(name, value, declarations, project)]
  })
  return new Set(named.map(({ value }) => value)).size === values.size ? named : []
}

function literalValue(type: ts.Type): string | number | undefined {
  return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined
}

/** The type of the constant that an alias takes its values from, or that has its name. */
function constantOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Type | undefined {
  const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type
  const written = alias && ts.isIndexedAccessTypeNode(alias) ? alias.objectType : undefined
  const query = written && ts.isParenthesizedTypeNode(written) ? written.type : written
  const named = query && ts.isTypeQueryNode(query) ? checker.getSymbolAtLocation(query.exprName) : undefined
  const { valueDeclaration } = named ? unaliased(named, checker) : symbol
  if (!valueDeclaration || !ts.isVariableDeclaration(valueDeclaration)) return undefined
  const type = checker.getTypeAtLocation(valueDeclaration)
  return isList(type, checker) ? undefined : type
}

function constant(
  name: string,
  value: string | number,
  declarations: readonly ts.Declaration[],
  project: OpenProject,
): EnumConstant {
  const { default: _, ...notes } = notesOf(declarations, project)
  return { name, value, ...notes }
}
