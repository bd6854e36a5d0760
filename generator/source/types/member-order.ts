import { ts } from 'ts-morph'
import { objectLike, symbolLinks } from '../program/checker.js'

/** What the checker knows of a mapped type, beside its public properties. */
interface Mapped extends ts.Type {
  /** `Row` of `{ [K in keyof Row]: … }`, known once its members are. */
  readonly modifiersType?: ts.Type
  readonly mapper?: Mapper
}

/** The type arguments of an instantiation. */
interface Mapper {
  readonly target?: ts.Type
  readonly targets?: readonly ts.Type[]
  readonly mapper1?: Mapper
  readonly mapper2?: Mapper
}

/** Mapped types inside of each other; types that are written have a few. */
const MAX_MAPPED_DEPTH = 8

/**
 * Returns the properties of a type in the order of their declaration. The checker sorts the keys of a mapped type, such as `Omit<Row,
 * 'id'>` of the row of a table: these have the order of the type whose keys they are.
 */
export function inDeclaredOrder(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  checker: ts.TypeChecker,
): readonly ts.Symbol[] {
  if (properties.length < 2 || !containsMapped(type)) return properties
  const order = new Map(namesOf(type, checker, 0).map((name, i) => [name, i]))
  const indexOf = ({ name }: ts.Symbol) => order.get(name) ?? order.size
  return properties.toSorted((a, b) => indexOf(a) - indexOf(b))
}

function containsMapped(type: ts.Type): boolean {
  return type.isIntersection() ? type.types.some(containsMapped) : isMapped(type)
}

function isMapped(type: ts.Type): type is Mapped {
  return Boolean(type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)
}

/** The names of the properties of a type, in order. */
function namesOf(type: ts.Type, checker: ts.TypeChecker, depth: number): readonly string[] {
  if (type.isIntersection() && depth <= MAX_MAPPED_DEPTH) {
    return [...new Set(type.types.flatMap((part) => namesOf(part, checker, depth + 1)))]
  }
  const properties = checker.getPropertiesOfType(type)
  const names = properties.map(({ name }) => name)
  if (!isMapped(type) || depth > MAX_MAPPED_DEPTH) return names
  const keys = properties.map(originalKey)
  for (const source of mappedTypes(type)) {
    if (source === type || !(source.flags & objectLike)) continue
    const order = new Map(namesOf(source, checker, depth + 1).map((name, i) => [name, i]))
    if (!keys.every((key) => order.has(key))) continue
    const at = keys.map((key) => order.get(key) ?? 0)
    return names
      .map((_, i) => i)
      .sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0))
      .map((i) => names[i] ?? '')
  }
  return names
}

/** The key that a property is made of: another one than its name where `as` renames it. */
function originalKey(property: ts.Symbol): string {
  const { keyType } = symbolLinks(property)
  return keyType?.isStringLiteral() ? keyType.value : property.name
}

/** The types whose keys a mapped type may have: the one that it maps, and type arguments. */
function mappedTypes({ modifiersType, mapper }: Mapped): readonly ts.Type[] {
  return [...(modifiersType ? [modifiersType] : []), ...mapperTargets(mapper)]
}

function mapperTargets(mapper: Mapper | undefined): readonly ts.Type[] {
  if (!mapper) return []
  const { target, targets = [], mapper1, mapper2 } = mapper
  return [...(target ? [target] : []), ...targets, ...mapperTargets(mapper1), ...mapperTargets(mapper2)].filter(Boolean)
}
