// Values in JSON form by their types: of the text of a date, code has a date, and XML a <dateTime.iso8601>.
import { isJsonObject, resolveType } from '../../description/described-types.js'
import type { DescribedParam, DescribedType, TypesByName } from '../../description/description.js'
import { branchOf } from '../../description/json-types.js'
import { parseDate } from '../../jsonrpc/scalars.js'
import { decodeBase64 } from '../../values/bytes.js'
import { isDate } from '../../values/predicates.js'
import { paramAt } from '../../values/types.js'

/** What a value becomes; `kind` is that of its type. */
export interface Conversion<Result> {
  list(items: readonly Result[], kind: string): Result
  members(members: readonly (readonly [name: string, value: Result])[], kind: string): Result
  scalar(value: ScalarValue, kind: string): Result
}

/** A value without parts. Dates, bytes and bigints are decoded from their JSON form. */
export type ScalarValue = string | number | bigint | boolean | null | Date | Uint8Array

/** Converts a value in JSON form by its type, inner values first. One that does not match its type is converted by its own form. */
export function convert<Result>(
  value: unknown,
  type: DescribedType,
  types: TypesByName,
  to: Conversion<Result>,
): Result {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return convert(value, plain.branches[branchOf(value, plain, types)] ?? any, types, to)
  if (Array.isArray(value)) {
    const items = value.map((each, index) => convert(each, elementType(plain, index), types, to))
    return to.list(items, plain.kind)
  }
  if (isJsonObject(value)) {
    const convertMember = ([name, each]: readonly [string, unknown]) =>
      [name, convert(each, memberType(plain, name), types, to)] as const
    return to.members(Object.entries(value).map(convertMember), plain.kind)
  }
  return to.scalar(decoded(value, plain.kind) as ScalarValue, plain.kind)
}

function decoded(value: unknown, kind: string): unknown {
  if (kind === 'bigint' && /^-?\d+$/.test(`${value}`)) return BigInt(value as string | number)
  if (typeof value !== 'string') return value ?? null
  const read = kind === 'date' ? parseDate(value) : kind === 'bytes' ? decodeBase64(value) : undefined
  return kind === 'date' && !isDate(read) ? value : (read ?? value)
}

const any: DescribedType = { kind: 'any' }

/** The type of an argument by its position. */
export function argumentType(params: readonly DescribedParam[], index: number): DescribedType {
  return paramAt(params, index)?.type ?? any
}

function elementType(type: DescribedType, index: number): DescribedType {
  if (type.kind === 'array' || type.kind === 'set') return type.element
  return type.kind === 'tuple' ? (type.elements[index] ?? type.rest ?? any) : any
}

function memberType(type: DescribedType, name: string): DescribedType {
  if (type.kind === 'map') return type.value
  if (type.kind !== 'struct') return any
  const index = type.indexes?.findLast(({ keys }) => !keys || new RegExp(keys.pattern).test(name))
  return (type.members.find((each) => each.name === name) ?? index)?.type ?? any
}
