// Which types are written once and referred to by name, and what they are called:
//
//   interface Order  →  `Order`; Page<Order[]>  →  `PageOrderArray`; `{ id: string }` without a declaration  →  none
import { ts } from 'ts-morph'
import { placeholderType } from '../../model/model.js'
import type { FoundType } from '../../model/part.js'
import { nameOf } from '../../model/type-names.js'
import { isIdentifier, upperFirst } from '../../text.js'
import { notesOf } from '../comments/notes.js'
import { isTypeTag, scalarTagOf } from '../constraints/constraint-types.js'
import { exportOf, textOfType } from '../program/checker.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isDeclaredByRpcGen } from '../program/sources.js'
import { brandOf } from './brand.js'
import { constantsOf, enumMemberName, enumOf } from './enum.js'
import type { FoundTypes } from './resolver-interface.js'

type Naming = Omit<FoundType, 'key' | 'type'>

/** Returns the name of a type's declaration, what identifies the type, and its import if TypeScript can import it. */
function namingOf(type: ts.Type, project: OpenProject): Naming {
  const symbol = nameSymbol(type)
  // All arrays share one symbol.
  if (!symbol || (project.checker.isArrayType(type) && !type.aliasSymbol)) {
    return { anonymous: true, ...brandOf(type, project) }
  }
  const given = typeArgumentsOf(type, project.checker)
  const argument = given.map((each) => argumentName(each, project.checker))
  const member = enumMemberName(type)
  const base = nameOf([symbol.name + argument.join('') + (member ?? '')])
  const described = member === undefined ? symbol.declarations : type.symbol.declarations
  const { default: _, ...notes } = isDeclaredByRpcGen(symbol) ? {} : notesOf(described ?? [], project)
  const constants = member === undefined ? constantsOf(type, symbol, project) : undefined
  const isGeneric = !isTopLevel(symbol) || !given.every((each) => isPlainArgument(each, project.checker))
  const origin = isGeneric ? { origin: originOf(symbol), generic: true } : { origin: identityOf(type, project.checker) }
  const named = { base, ...origin, ...notes, ...(constants && { constants }), ...brandOf(type, project) }
  const declared = argument.length === 0 ? exportOf(symbol, project, true) : undefined
  if (!declared || (member !== undefined && !isIdentifier(member))) return named
  return { ...named, declared: member === undefined ? declared : { ...declared, member } }
}

/** A declaration inside a function may depend on its type parameters. */
function isTopLevel({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every(({ parent }) => ts.isSourceFile(parent) || ts.isModuleBlock(parent))
}

/** Distinguishes types with the same name, also across runs. */
function originOf({ declarations = [] }: ts.Symbol): string {
  return declarations.map((each) => `${each.getSourceFile().fileName}:${each.pos}`).join(' ')
}

/** Identifies a declared type and its arguments, also across runs, in which the branches of a union may have another order. */
function identityOf(type: ts.Type, checker: ts.TypeChecker): string {
  const symbol = nameSymbol(type)
  const identities = (all: readonly ts.Type[]) => all.map((each) => identityOf(each, checker))
  const name = symbol
    ? originOf(symbol)
    : type.isUnion()
      ? identities(type.types).sort().join(' | ')
      : checker.typeToString(type)
  return [name, ...identities(typeArgumentsOf(type, checker))].join(', ')
}

/** The alias, interface, class or enum that gives a type its name. */
export function nameSymbol(type: ts.Type): ts.Symbol | undefined {
  if (type.aliasSymbol) return type.aliasSymbol
  const { symbol } = type
  if (!symbol || isValueSide(type)) return undefined
  if (symbol.flags & ts.SymbolFlags.EnumMember) return enumOf(symbol)
  const named = ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.Enum
  return symbol.flags & named ? symbol : undefined
}

/** True for `typeof Color`, the object that an enum or a class is at run time: it has the symbol and is not the type of that name. */
function isValueSide(type: ts.Type): boolean {
  return Boolean(type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Anonymous)
}

function typeArgumentsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  if (type.aliasSymbol) return type.aliasTypeArguments ?? []
  const reference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference
  return reference ? checker.getTypeArguments(type as ts.TypeReference).filter((each) => !isThis(each)) : []
}

/**
 * True for declared types without type arguments, scalars and unions of these: their number is finite, so a type with such arguments
 * cannot contain ever larger instances of itself.
 */
function isPlainArgument(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (typeArgumentsOf(type, checker).length > 0) return false
  const symbol = nameSymbol(type)
  // One member of an enum has the name of the enum.
  if (symbol) return isTopLevel(symbol) && !(type.flags & ts.TypeFlags.EnumLiteral && !type.isUnion())
  if (type.isUnion()) return type.types.every((each) => isPlainArgument(each, checker))
  return Boolean(type.flags & scalarFlags)
}

const scalarFlags =
  ts.TypeFlags.String |
  ts.TypeFlags.Number |
  ts.TypeFlags.BigInt |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.VoidLike |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Any

function isThis(type: ts.Type): boolean {
  return Boolean((type as ts.TypeParameter & { isThisType?: boolean }).isThisType)
}

/** Longer names are cut and distinguished by number. */
const MAX_ARGUMENT_NAME = 40

/** A type without a name may contain itself; deeper names would be cut anyway. */
const MAX_ARGUMENT_DEPTH = 4

/** Returns what a type argument contributes to a name: `Page<Order[]>` is `PageOrderArray`, `Page<Page<Order>>` `PagePageOrder`. */
function argumentName(type: ts.Type, checker: ts.TypeChecker, level = 0): string {
  if (level > MAX_ARGUMENT_DEPTH) return ''
  const named = (each: ts.Type) => argumentName(each, checker, level + 1)
  const [first, ...others] = typeArgumentsOf(type, checker)
  if (checker.isArrayType(type) && first && !type.aliasSymbol) return `${named(first)}Array`.slice(0, MAX_ARGUMENT_NAME)
  const symbol = nameSymbol(type)
  if (symbol)
    return [upperFirst(symbol.name), enumMemberName(type) ?? '', ...(first ? [first, ...others].map(named) : [])]
      .join('')
      .slice(0, MAX_ARGUMENT_NAME)
  if (type.isUnion() && !(type.flags & ts.TypeFlags.Boolean))
    return unionName(type.types, named).slice(0, MAX_ARGUMENT_NAME)
  const over = constrainedPart(type, checker)
  if (over) return upperFirst(scalarTagOf(type, checker) ?? named(over)).slice(0, MAX_ARGUMENT_NAME)
  const words = textOfType(type, checker).replace(/[^\p{ID_Continue}]+(\p{ID_Continue}?)/gu, (_all, next: string) =>
    next.toUpperCase(),
  )
  return upperFirst(words).slice(0, MAX_ARGUMENT_NAME)
}

/** The number of `number & Minimum<0>`: constraints do not contribute to a name. */
function constrainedPart(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!type.isIntersection()) return undefined
  const [over, second] = type.types.filter((each) => {
    return !(each.flags & ts.TypeFlags.Object) || !checker.getPropertiesOfType(each).every(isTypeTag)
  })
  return second ? undefined : over
}

/** `DateOrNull`, and `IdNote` of literals, which are mostly the names of members. */
function unionName(types: readonly ts.Type[], named: (type: ts.Type) => string): string {
  const isNothing = ({ flags }: ts.Type) => Boolean(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
  const parts = [...types.filter((each) => !isNothing(each)), ...types.filter(isNothing)]
  return parts.map(named).join(types.every((each) => each.isStringLiteral() || each.isNumberLiteral()) ? '' : 'Or')
}

/** A type that is written once. Its model is known when the types inside of it have been resolved. */
type TableEntry = Mutable<FoundType>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The types that are written once and referred to by key, and where each was first used. */
export class TypeTable implements FoundTypes {
  readonly types: TableEntry[] = []
  readonly byKey = new Map<string, TableEntry>()
  readonly #project: OpenProject
  readonly #byType = new Map<ts.Type, TableEntry>()
  readonly #places = new Map<string, Place>()

  constructor(project: OpenProject) {
    this.#project = project
  }

  find(type: ts.Type): TableEntry | undefined {
    return this.#byType.get(type)
  }

  /** Gives a type a key, by which the types inside of it can refer to it while its model is made. */
  enter(type: ts.Type, place: Place): TableEntry {
    const key = `${this.types.length}`
    const entry = { key, ...namingOf(type, this.#project), type: placeholderType }
    this.#byType.set(type, entry)
    this.#places.set(key, place)
    this.byKey.set(key, entry)
    this.types.push(entry)
    return entry
  }

  rename(key: string, name: string, symbol: ts.Symbol): void {
    const entry = this.byKey.get(key)
    if (!entry) return
    delete entry.anonymous
    Object.assign(entry, { base: nameOf([name]), origin: originOf(symbol) })
  }

  firstUseOf(key: string): Place | undefined {
    return this.#places.get(key)
  }
}
