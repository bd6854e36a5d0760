// The types of a description: what they contain, and what their references are for.
//
//   resolveType({ kind: 'ref', name: 'Id' }, types)  →  { kind: 'int' }
import { type IndexOf, innerTypesOf, type StructType } from '../values/types.js'
import type { DescribedError, DescribedType, NameRef, TypesByName } from './description.js'

export { innerTypesOf }

/** Returns a type with all types that it directly contains mapped. */
export function mapInnerTypes(type: DescribedType, change: (inner: DescribedType) => DescribedType): DescribedType {
  switch (type.kind) {
    case 'array':
    case 'set':
      return { ...type, element: change(type.element) }
    case 'map':
      return { ...type, value: change(type.value) }
    case 'tuple':
      return { ...type, elements: type.elements.map(change), ...(type.rest ? { rest: change(type.rest) } : {}) }
    case 'struct': {
      const members = type.members.map((member) => ({ ...member, type: change(member.type) }))
      const indexes = type.indexes?.map((index) => ({ ...index, type: change(index.type) }))
      return { ...type, members, ...(indexes ? { indexes } : {}) }
    }
    case 'union':
      return { ...type, branches: type.branches.map(change) }
    case 'custom':
      return { ...type, wire: change(type.wire) }
    default:
      return type
  }
}

/** Returns the branches of a type, with unions and references resolved. */
export function flatten(type: DescribedType, types: TypesByName): DescribedType[] {
  if (type.kind === 'union') return type.branches.flatMap((branch) => flatten(branch, types))
  if (type.kind !== 'ref') return [type]
  const named = types.get(type.name)
  return named ? flatten(named.type, types) : []
}

/** Returns the structure of a type as text. Types with the same structure are the same type, whatever their aliases and labels are. */
export function structureOf(type: DescribedType): string {
  return JSON.stringify(type, (name, value) => (name === 'alias' || name === 'labels' ? undefined : value))
}

/** Returns the index signature of an object that has nothing else. */
export function recordIndex({ members, indexes = [] }: StructType<NameRef>): IndexOf<NameRef> | undefined {
  return members.length === 0 && indexes.length === 1 ? indexes[0] : undefined
}

/** Returns the names of the types that a type refers to, without those of the referenced types. */
export function referencedNames(type: DescribedType): string[] {
  const names: string[] = []
  collectNames(type, names)
  return names
}

function collectNames(type: DescribedType, into: string[]): void {
  if (type.kind === 'ref') into.push(type.name)
  else for (const inner of innerTypesOf(type)) collectNames(inner, into)
}

/** The types of a procedure, or of one of its overloads. */
interface TypedSignature {
  readonly params: readonly { readonly type: DescribedType }[]
  readonly returns: { readonly type: DescribedType }
}

/** Returns the types that a procedure receives and sends: of its combined signature, of its overloads, and of the data of its errors. */
export function typesOfProcedure({
  params,
  returns,
  overloads = [],
  throws = [],
}: TypedSignature & {
  readonly overloads?: readonly (Pick<TypedSignature, 'params'> & Partial<TypedSignature>)[] | undefined
  readonly throws?: readonly DescribedError[] | undefined
}): DescribedType[] {
  const typed = [{ params, returns }, ...overloads].flatMap((each) => [
    ...each.params,
    ...(each.returns ? [each.returns] : []),
  ])
  return [...typed.map(({ type }) => type), ...throws.flatMap(({ data }) => data ?? [])]
}

/** True for a Set with size limits, for which a list with equal elements is invalid. */
export function hasSizeLimit({ kind, constraints }: DescribedType): boolean {
  return kind === 'set' && (constraints?.minItems !== undefined || constraints?.maxItems !== undefined)
}

/** A type that is neither a reference nor a custom scalar. */
export type PlainType = Exclude<DescribedType, NameRef | { readonly kind: 'custom' }>

const unknown: PlainType = { kind: 'any' }

/** Resolves references, and custom scalars to what is sent; `any` for an unknown name. */
export function resolveType(type: DescribedType, types: TypesByName): PlainType {
  let found = type
  for (let steps = 0; found.kind === 'ref' || found.kind === 'custom'; steps++) {
    const next: DescribedType | undefined = found.kind === 'ref' ? types.get(found.name)?.type : found.wire
    if (!next || steps > 2 * types.size + 1) return unknown
    found = next
  }
  return found
}

/** Resolves references, and applies the constraints of the reference over those of its target. */
export function resolveConstrained(type: DescribedType, types: TypesByName): PlainType {
  const plain = resolveType(type, types)
  return { ...plain, constraints: { ...plain.constraints, ...type.constraints } }
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
