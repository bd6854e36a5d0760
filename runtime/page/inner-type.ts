import type { DescribedParam, DescribedType } from '../schema/description.js'

/** The type of an unknown inner type. */
export const anyType: DescribedType = { kind: 'any' }

/** The type of an argument by its position. */
export function argumentType(params: readonly DescribedParam[], index: number): DescribedType {
  const last = params.at(-1)
  return (params[index] ?? (last?.rest ? last : undefined))?.type ?? anyType
}

/** The type of one element of a list. */
export function elementType(type: DescribedType, index: number): DescribedType {
  if (type.kind === 'array' || type.kind === 'set') return type.element
  return type.kind === 'tuple' ? (type.elements[index] ?? type.rest ?? anyType) : anyType
}

function indexedType({ indexes }: Extract<DescribedType, { kind: 'struct' }>, name: string): DescribedType | undefined {
  return indexes?.findLast(({ keys }) => !keys || new RegExp(keys.pattern).test(name))?.type
}

/** The type of one member of a struct. */
export function memberType(type: DescribedType, name: string): DescribedType {
  if (type.kind === 'map') return type.value
  return type.kind === 'struct'
    ? (type.members.find((each) => each.name === name)?.type ?? indexedType(type, name) ?? anyType)
    : anyType
}
