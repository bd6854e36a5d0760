import type { PairCache } from '../values/pair-cache.js'
import { isStruct, type Struct, setMember } from '../values/predicates.js'
import { convertScalar, isScalar, type ScalarsWay } from './scalars.js'
import type { ClientCustom, ClientMembersTable, ClientStruct, ClientTuple, ClientType, ClientUnion } from './table.js'
import { RpcValueError, type ValuePath, valueError } from './value-error.js'

/** One direction of a call. */
export interface Way extends ScalarsWay {
  readonly types: Readonly<Record<string, ClientType>>
  readonly custom: ConvertCustom | undefined
  /** Which objects are of a named type or a union: several branches may ask about the same one. */
  readonly matches: PairCache<string | readonly ClientType[], boolean>
  /** The objects that codecs have converted: a union converts to decide, at each level of a value. */
  readonly converted: PairCache<ClientType, unknown>
}

/** Converts a value of a custom scalar; `sent` is the type on the wire. */
export type ConvertCustom = (name: string, sent: ClientType, value: unknown, path: ValuePath, way: Way) => unknown

/** Converts a value; throws RpcValueError with its path if it is not of the type. */
export function convert(type: ClientType, value: unknown, path: ValuePath, way: Way): unknown {
  if (typeof type === 'string') return convertScalar(type, value, path, way)
  switch (type[0]) {
    case 'ref':
      return convert(way.types[type[1]] ?? 'any', value, path, way)
    case 'is':
      if (value === type[1]) return value
      throw valueError(way.method, path, JSON.stringify(type[1]), value)
    case 'template':
      if (typeof value === 'string' && new RegExp(type[1]).test(value)) return value
      throw valueError(way.method, path, `string matching ${type[1]}`, value)
    case 'array':
      return convertItems(value, [], type[1], path, way)
    case 'tuple':
      return convertItems(value, type[1], type[2], path, way, type[3])
    case 'set':
      return convertSet(type[1], value, path, way)
    case 'map':
      return convertMap(type[1], value, path, way, type[2] === 'number')
    case 'struct':
      return convertStruct(type, value, path, way)
    case 'union':
      return convertUnion(type, value, path, way)
    case 'custom':
      return convertCustom(type, value, path, way)
  }
}

/** Two strings of one text are two values, and become two objects. */
function convertCustom(type: ClientCustom, value: unknown, path: ValuePath, way: Way): unknown {
  const turn = () => way.custom?.(type[1], type[2], value, path, way)
  return typeof value === 'object' ? way.converted.get(type, value, turn) : turn()
}

/** Returns the type of a member, ignoring properties that every object inherits. */
export function memberOf(table: ClientMembersTable | undefined, name: string): ClientType | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined
}

/**
 * Returns an object with the members that are sent: those of `toJSON()`, where a value has one, as without a table; members that the
 * tables convert are those of the value.
 *
 * @throws RpcValueError if `toJSON()` does not return an object
 */
export function sentMembers(value: Struct, tables: readonly ClientMembersTable[], path: ValuePath, way: Way): Struct {
  if (typeof value['toJSON'] !== 'function') return value
  const json: unknown = value['toJSON']('')
  if (!isStruct(json)) throw valueError(way.method, path, 'object', json)
  const { toJSON, ...members } = json
  const types: ClientMembersTable = Object.assign({}, ...tables)
  return turnMembers(typeof toJSON === 'function' ? members : json, (each, name) => {
    const type = memberOf(types, name) ?? 'any'
    return Object.hasOwn(value, name) && (typeof type !== 'string' || type in way.scalars) ? value[name] : each
  })
}

/** Returns a struct with every member converted. */
export function turnMembers(struct: Struct, turn: (value: unknown, name: string) => unknown): Struct {
  const into: Struct = {}
  for (const name of Object.keys(struct)) setMember(into, name, turn(struct[name], name))
  return into
}

function convertItems(
  value: unknown,
  first: readonly ClientType[],
  rest: ClientType | undefined,
  path: ValuePath,
  way: Way,
  required: number = first.length,
): unknown[] {
  if (!Array.isArray(value)) throw valueError(way.method, path, 'array', value)
  return value.map((each, i) => {
    const type = first[i] ?? rest
    const isMissing = each === undefined && i < first.length
    if (!type || isMissing) return each
    // In JSON null represents an omitted element, unless null is one of its values.
    const isHole = each === null && !way.out && i >= required && i < first.length
    if (isHole && !matches(type, null, way)) return undefined
    return convert(type, each, [path, i], way)
  })
}

function convertSet(type: ClientType, value: unknown, path: ValuePath, way: Way): unknown {
  if (!way.out) return new Set(convertItems(value, [], type, path, way))
  if (value instanceof Set) return convertItems([...value], [], type, path, way)
  throw valueError(way.method, path, 'Set', value)
}

function convertMap(type: ClientType, value: unknown, path: ValuePath, way: Way, isNumeric: boolean): unknown {
  const turn = (each: unknown, name: string) => convert(type, each, [path, name], way)
  if (way.out) {
    if (!(value instanceof Map)) throw valueError(way.method, path, 'Map', value)
    const into: Struct = {}
    for (const [name, each] of value) setMember(into, `${name}`, turn(each, `${name}`))
    return into
  }
  if (!isStruct(value)) throw valueError(way.method, path, 'object', value)
  return new Map(
    Object.entries(value).map(([name, each]): [unknown, unknown] => [
      isNumeric ? Number(name) : name,
      turn(each, name),
    ]),
  )
}

function convertStruct(
  [, required, optional, others]: ClientStruct,
  given: unknown,
  path: ValuePath,
  way: Way,
): unknown {
  if (!isStruct(given)) throw valueError(way.method, path, 'object', given)
  const value = way.out ? sentMembers(given, [required, optional ?? {}], path, way) : given
  const turn = (type: ClientType, each: unknown, name: string) => convert(type, each, [path, name], way)
  // A missing member may be undefined if its type allows that; else this throws.
  for (const name of Object.keys(required)) {
    if (!Object.hasOwn(value, name)) turn(required[name] ?? 'any', undefined, name)
  }
  return turnMembers(value, (each, name) => {
    const type = memberOf(required, name)
    if (type) return turn(type, each, name)
    const other = memberOf(optional, name) ?? otherType(others, name)
    return other && each !== undefined ? turn(other, each, name) : each
  })
}

function otherType(others: ClientStruct[3], name: string): ClientType | undefined {
  if (typeof others !== 'object' || isClientType(others)) return others
  return Object.entries(others).findLast(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function isClientType(type: Exclude<ClientStruct[3], string | undefined>): type is Exclude<ClientType, string> {
  return Array.isArray(type)
}

function convertUnion([, branches, discriminant]: ClientUnion, value: unknown, path: ValuePath, way: Way): unknown {
  const branch = branchFor(branches, discriminant, value, way)
  if (branch) return convert(branch, value, path, way)
  throw valueError(way.method, path, 'a value of the declared union', value)
}

/** Returns the branch that the discriminant selects, so that a mismatch is reported with its path, or else the first that matches. */
function branchFor(
  branches: readonly ClientType[],
  discriminant: string | undefined,
  value: unknown,
  way: Way,
): ClientType | undefined {
  const selected = discriminant === undefined ? undefined : branchBy(discriminant, branches, value, way)
  return selected ?? branches.find((branch) => mayHaveLength(branch, value, way) && matches(branch, value, way))
}

/** True if a value can be converted. Each pair of a named type or a union and an object is decided once. */
function matches(type: ClientType, value: unknown, way: Way): boolean {
  if (typeof type === 'string') return isScalar(type, value, way)
  switch (type[0]) {
    case 'ref':
      return way.matches.get(type[1], value, () => matches(way.types[type[1]] ?? 'any', value, way))
    case 'union':
      return way.matches.get(type[1], value, () => {
        const branch = branchFor(type[1], type[2], value, way)
        return branch !== undefined && matches(branch, value, way)
      })
    case 'is':
      return value === type[1]
    case 'template':
      return typeof value === 'string' && new RegExp(type[1]).test(value)
    case 'array':
      return matchesItems(value, [], type[1], way)
    case 'tuple':
      return matchesItems(value, type[1], type[2], way, type[3])
    case 'set':
      return way.out
        ? value instanceof Set && matchesItems([...value], [], type[1], way)
        : matchesItems(value, [], type[1], way)
    case 'map':
      if (way.out ? !(value instanceof Map) : !isStruct(value)) return false
      return (way.out ? [...(value as Map<unknown, unknown>).values()] : Object.values(value as Struct)).every((each) =>
        matches(type[1], each, way),
      )
    case 'struct':
      return isStruct(value) && matchesStruct(type, value, way)
    case 'custom':
      return isConverted(type, value, way)
  }
}

function matchesItems(
  value: unknown,
  first: readonly ClientType[],
  rest: ClientType | undefined,
  way: Way,
  required: number = first.length,
): boolean {
  if (!Array.isArray(value)) return false
  return value.every((each, i) => {
    const type = first[i] ?? rest
    if (!type || (i < first.length && each === undefined)) return true
    const isHole = each === null && !way.out && i >= required && i < first.length
    return isHole || matches(type, each, way)
  })
}

function matchesStruct([, required, optional, others]: ClientStruct, value: Struct, way: Way): boolean {
  for (const name of Object.keys(required)) {
    if (!Object.hasOwn(value, name) && !matches(required[name] ?? 'any', undefined, way)) return false
  }
  return Object.keys(value).every((name) => {
    const each = value[name]
    const type = memberOf(required, name)
    if (type) return matches(type, each, way)
    const other = memberOf(optional, name) ?? otherType(others, name)
    return !other || each === undefined || matches(other, each, way)
  })
}

function isConverted(type: ClientType, value: unknown, way: Way): boolean {
  try {
    convert(type, value, undefined, way)
    return true
  } catch (error) {
    if (error instanceof RpcValueError) return false
    throw error
  }
}

/** False for a list that is too short or too long for a tuple. */
function mayHaveLength(branch: ClientType, value: unknown, { types }: Way): boolean {
  const type = branch[0] === 'ref' ? (types[branch[1] as string] ?? 'any') : branch
  if (type[0] !== 'tuple' || !Array.isArray(value)) return true
  const [, elements, rest = 'never', required = elements.length] = type as ClientTuple
  return value.length >= required && (rest !== 'never' || value.length <= elements.length)
}

function branchBy(name: string, branches: readonly ClientType[], value: unknown, way: Way): ClientType | undefined {
  if (!isStruct(value)) return undefined
  return branches.find((branch) => {
    const shape = branch[0] === 'ref' ? way.types[branch[1] as string] : branch
    const literal = shape?.[0] === 'struct' ? memberOf(shape[1] as ClientMembersTable, name) : undefined
    return literal && matches(literal, value[name], way)
  })
}
