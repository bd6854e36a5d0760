import type { DescribedType, NameRef, TypesByName } from './description.js'

/** A type that is no reference. */
export type PlainType = Exclude<DescribedType, NameRef>

const unknown: PlainType = { kind: 'any' }

/** What a type stands for, references followed; `any` for a name that nothing has. */
export function lookUp(type: DescribedType, types: TypesByName): PlainType {
  let found = type
  for (let steps = 0; found.kind === 'ref'; steps++) {
    const next: DescribedType | undefined = types.get(found.name)?.type
    if (!next || steps > types.size) return unknown
    found = next
  }
  return found
}

/** The same, with what the reference itself demands over what the type with that name does. */
export function lookUpLimited(type: DescribedType, types: TypesByName): PlainType {
  const plain = lookUp(type, types)
  return { ...plain, constraints: { ...plain.constraints, ...type.constraints } }
}
