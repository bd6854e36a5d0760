import type { DescribedType } from './description.js'

/** The types that a type is made of; a reference has none. */
export function partsOf(type: DescribedType): readonly DescribedType[] {
  switch (type.kind) {
    case 'array':
    case 'set':
      return [type.element]
    case 'map':
      return [type.value]
    case 'tuple':
      return [...type.elements, ...(type.rest ? [type.rest] : [])]
    case 'struct':
      return [...type.members.map((member) => member.type), ...(type.rest ? [type.rest] : [])]
    case 'union':
      return type.branches
    default:
      return []
  }
}

/** The same type, made of other parts. */
export function mapParts(type: DescribedType, change: (part: DescribedType) => DescribedType): DescribedType {
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
      return { ...type, members, ...(type.rest ? { rest: change(type.rest) } : {}) }
    }
    case 'union':
      return { ...type, branches: type.branches.map(change) }
    default:
      return type
  }
}

/** The names that a type refers to directly. */
export function namesIn(type: DescribedType): string[] {
  const names: string[] = []
  collectNames(type, names)
  return names
}

function collectNames(type: DescribedType, into: string[]): void {
  if (type.kind === 'ref') into.push(type.name)
  else for (const part of partsOf(type)) collectNames(part, into)
}

/** Whether a Set is limited in its size: a list with equal elements is then none. */
export function isCounted({ kind, constraints }: DescribedType): boolean {
  return kind === 'set' && (constraints?.minItems !== undefined || constraints?.maxItems !== undefined)
}
