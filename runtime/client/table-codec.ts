import { setMember } from '../convert.js'
import { memberPath } from '../path.js'
import { isStruct, type Struct } from '../predicates.js'
import type { ClientCodec } from './options.js'
import { fromWire, type Scalars, toJson, toNative } from './scalars.js'
import type { ClientMembersTable, ClientTable, ClientType } from './table.js'
import { RpcValueError } from './value-error.js'

/**
 * Turns the values of a generated client by its table: Date, bytes, bigint, URL, Map and Set go and come as what they are.
 * What the table says nothing of stays as it is. A value that is not what the table says is an RpcValueError that names
 * its place, on the way out and on the way in: no Date is ever the string that it could not be made of.
 */
export function tableCodec({ methods, types = {} }: ClientTable): ClientCodec {
  const find = (method: string) => (Object.hasOwn(methods, method) ? methods[method] : undefined)
  return {
    isIdempotent: (method) => find(method)?.idempotent === true,
    encode(method, params, native) {
      const { params: declared = {}, rest } = find(method) ?? {}
      const way: Way = { types, scalars: native ? toNative : toJson, out: true }
      const names = Object.keys(declared)
      const encode = (type: ClientType | undefined, value: unknown, name: string) =>
        type && value !== undefined ? convert(type, value, `${method}: ${name}`, way) : value
      if (Array.isArray(params)) {
        return params.map((value, i) => {
          const name = names[i]
          return name === undefined ? encode(rest?.[1], value, `${rest?.[0]}`) : encode(declared[name], value, name)
        })
      }
      const named: ClientMembersTable = rest ? { ...declared, [rest[0]]: ['array', rest[1]] } : declared
      return mapMembers(params as Struct, (value, name) => encode(own(named, name), value, name))
    },
    decode(method, result) {
      const type = find(method)?.result
      return type ? convert(type, result, `${method}: result`, { types, scalars: fromWire, out: false }) : result
    },
  }
}

/** One direction. */
interface Way {
  readonly types: Readonly<Record<string, ClientType>>
  readonly scalars: Scalars
  /** From TypeScript values to those of the wire. */
  readonly out: boolean
}

function own(table: ClientMembersTable | undefined, name: string): ClientType | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined
}

function mapMembers(struct: Struct, turn: (value: unknown, name: string) => unknown): Struct {
  const into: Struct = {}
  for (const name of Object.keys(struct)) setMember(into, name, turn(struct[name], name))
  return into
}

function convert(type: ClientType, value: unknown, path: string, way: Way): unknown {
  if (typeof type === 'string') return convertScalar(type, value, path, way)
  switch (type[0]) {
    case 'ref':
      return convert(way.types[type[1]] ?? 'any', value, path, way)
    case 'is':
      if (value !== type[1]) throw new RpcValueError(path, JSON.stringify(type[1]), value)
      return value
    case 'array':
    case 'tuple':
      if (!Array.isArray(value)) throw new RpcValueError(path, 'array', value)
      return type[0] === 'array'
        ? convertItems(value, [], type[1], path, way)
        : convertItems(value, type[1], type[2], path, way)
    case 'set':
      return convertSet(type[1], value, path, way)
    case 'map':
      return convertMap(type[1], value, path, way)
    case 'struct':
      return convertStruct(type, value, path, way)
    case 'union':
      return convertUnion(type, value, path, way)
  }
}

function convertScalar(type: ClientType & string, value: unknown, path: string, { scalars, out }: Way): unknown {
  switch (type) {
    case 'any':
      return value
    case 'undefined':
      if (value === undefined || (!out && value === null)) return out ? null : undefined
      break
    case 'null':
      if (value === null) return value
      break
    case 'date':
    case 'bytes':
    case 'bigint':
    case 'url': {
      const turned = scalars[type](value)
      if (turned !== undefined) return turned
      break
    }
    default:
      // biome-ignore lint/suspicious/useValidTypeof: `type` is one of these names
      if (typeof value === type) return value
  }
  throw new RpcValueError(path, type, value)
}

function convertItems(
  items: readonly unknown[],
  first: readonly ClientType[],
  rest: ClientType | undefined,
  path: string,
  way: Way,
): unknown[] {
  return items.map((each, i) => {
    const type = first[i] ?? rest
    const missing = each === undefined && i < first.length
    return type && !missing ? convert(type, each, `${path}[${i}]`, way) : each
  })
}

function convertSet(type: ClientType, value: unknown, path: string, way: Way): unknown {
  if (way.out ? !(value instanceof Set) : !Array.isArray(value))
    throw new RpcValueError(path, way.out ? 'Set' : 'array', value)
  const items = convertItems([...(value as Iterable<unknown>)], [], type, path, way)
  return way.out ? items : new Set(items)
}

function convertMap(type: ClientType, value: unknown, path: string, way: Way): unknown {
  const turn = (each: unknown, name: string) => convert(type, each, memberPath(path, name), way)
  if (!way.out) {
    if (!isStruct(value)) throw new RpcValueError(path, 'object', value)
    return new Map(Object.keys(value).map((name) => [name, turn(value[name], name)]))
  }
  if (!(value instanceof Map)) throw new RpcValueError(path, 'Map', value)
  const into: Struct = {}
  for (const [name, each] of value) setMember(into, `${name}`, turn(each, `${name}`))
  return into
}

type StructShape = Extract<ClientType, readonly ['struct', ...unknown[]]>

function convertStruct([, required, optional, rest]: StructShape, value: unknown, path: string, way: Way): unknown {
  if (!isStruct(value)) throw new RpcValueError(path, 'object', value)
  for (const [name, type] of Object.entries(required)) {
    // Undefined is a value of its own to a type that has it.
    if (!Object.hasOwn(value, name)) convert(type, undefined, memberPath(path, name), way)
  }
  return mapMembers(value, (each, name) => {
    const type = own(required, name)
    if (type) return convert(type, each, memberPath(path, name), way)
    const other = own(optional, name) ?? rest
    return other && each !== undefined ? convert(other, each, memberPath(path, name), way) : each
  })
}

type UnionShape = Extract<ClientType, readonly ['union', ...unknown[]]>

function convertUnion([, branches, discriminant]: UnionShape, value: unknown, path: string, way: Way): unknown {
  const chosen = discriminant === undefined ? undefined : branchBy(discriminant, branches, value, way)
  if (chosen) return convert(chosen, value, path, way)
  for (const branch of branches) {
    const converted = attempt(branch, value, path, way)
    if (converted) return converted.value
  }
  throw new RpcValueError(path, 'a value of the declared union', value)
}

/** The branch whose literal the value has as its discriminant; what is wrong in it is then told with its place. */
function branchBy(name: string, branches: readonly ClientType[], value: unknown, way: Way): ClientType | undefined {
  if (!isStruct(value)) return undefined
  return branches.find((branch) => {
    const shape = branch[0] === 'ref' ? way.types[branch[1] as string] : branch
    const literal = shape?.[0] === 'struct' ? own(shape[1] as ClientMembersTable, name) : undefined
    return literal && attempt(literal, value[name], '', way)
  })
}

function attempt(type: ClientType, value: unknown, path: string, way: Way): { readonly value: unknown } | undefined {
  try {
    return { value: convert(type, value, path, way) }
  } catch (error) {
    if (error instanceof RpcValueError) return undefined
    throw error
  }
}
