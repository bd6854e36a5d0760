import type { ModelType, OfKind } from '../../generator/model/model.js'
import type { ClientType } from '../../runtime/client/table.js'
import { flatten } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { jsonTypesOf } from '../../runtime/description/json-types.js'

/** What the rows of `kinds.ts` write the types of a client's table with: the type of a Date is `date`, that of a string `any`. */
export interface ClientTypes {
  readonly types: TypesByName
  /** True if custom scalars are converted. */
  readonly codecs: boolean
  /** The complete types, by which a union recognises a value; `this` if these are complete. */
  readonly whole: ClientTypes
  /** True if JSON cannot represent a value or a part of it. */
  isConverted(type: ModelType): boolean
  /** Returns how the values of a part are converted; `any` for unchanged ones, unless the types are complete. */
  part(type: ModelType): ClientType
  /** The same, but for unchanged values their type. */
  entry(type: ModelType): ClientType
  /** Lists a named type, with the discriminant of a union that it is a branch of. */
  refer(name: string, tag?: string): ClientType
}

/** Null represents an omitted element, so that the type of an optional one has to be complete: it may accept null itself. */
export function clientTuple({ elements, rest, required }: OfKind<'tuple'>, table: ClientTypes): ClientType {
  const types = elements.map((each, i) => (i < required ? table : table.whole).part(each))
  const others = rest ? table.part(rest) : table === table.whole ? 'never' : 'any'
  if (required < elements.length) return ['tuple', types, others, required]
  return rest ? ['tuple', types, others] : ['tuple', types]
}

/** True if null represents an omitted element. Named types are not examined; they may accept null themselves. */
export function nullMeansOmitted({ elements, required }: OfKind<'tuple'>): boolean {
  return elements.slice(required).some((each) => !mayBeNull(each))
}

function mayBeNull(type: ModelType): boolean {
  if (type.kind === 'union') return type.branches.some(mayBeNull)
  return type.kind === 'ref' || type.kind === 'any' || jsonTypesOf(type).includes('null')
}

/** The members that are converted, or all, and the tags. */
export function clientStruct(
  { members, indexes = [] }: OfKind<'struct'>,
  table: ClientTypes,
  tags?: ReadonlySet<string>,
): ClientType {
  const typesOf = (isOptional: boolean) =>
    Object.fromEntries(
      members
        .filter(({ optional = false }) => optional === isOptional)
        .map(({ name, type }) => [name, (tags?.has(name) ? table.whole : table).part(type)] as const)
        .filter(([, type]) => type !== 'any'),
    )
  const [required, optional] = [typesOf(false), typesOf(true)]
  const others = indexes.map(({ type, keys }) => [keys?.pattern ?? '', table.part(type)] as const)
  const [only] = others
  if (only) return ['struct', required, optional, others.length > 1 ? Object.fromEntries(others) : only[1]]
  return Object.keys(optional).length > 0 ? ['struct', required, optional] : ['struct', required]
}

/** A branch is recognised by its discriminant, or by its type in JSON; without either it is complete. */
export function clientUnion({ branches: declared, discriminant }: OfKind<'union'>, table: ClientTypes): ClientType {
  // Null is read as the first branch that it matches: as undefined only if null is none.
  const isUndefined = ({ kind }: ModelType) => kind === 'undefined' || kind === 'void'
  const branches = [...declared.filter((each) => !isUndefined(each)), ...declared.filter(isUndefined)]
  const shared = sharedTypes(branches, table.types)
  const all = branches.map((branch): ClientType => {
    if (table === table.whole) return table.part(branch)
    const target = branch.kind === 'ref' ? table.types.get(branch.name)?.type : branch
    if (discriminant !== undefined && target?.kind === 'struct') {
      return branch.kind === 'ref'
        ? table.refer(branch.name, discriminant)
        : clientStruct(target, table, new Set([discriminant]))
    }
    const isAlone = !jsonTypesOfBranch(branch, table.types).some((type) => shared.has(type))
    return (isAlone ? table : table.whole).entry(branch)
  })
  return discriminant === undefined ? ['union', all] : ['union', all, discriminant]
}

/** The types in JSON that several branches may have: a value of another type belongs to the one branch that has it. */
function sharedTypes(branches: readonly ModelType[], types: TypesByName): ReadonlySet<string> {
  const [once, shared] = [new Set<string>(), new Set<string>()]
  for (const type of branches.flatMap((each) => jsonTypesOfBranch(each, types))) {
    if (once.has(type)) shared.add(type)
    once.add(type)
  }
  return shared
}

/** The types in JSON. The values of custom scalars are of any class, perhaps objects or lists. */
function jsonTypesOfBranch(branch: ModelType, types: TypesByName): readonly string[] {
  const all = flatten(branch, types).flatMap((each): readonly string[] =>
    each.kind === 'custom' || each.kind === 'any' ? ['object', 'array'] : jsonTypesOf(each),
  )
  return [...new Set(all)]
}
