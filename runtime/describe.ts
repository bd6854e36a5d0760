import { describeConstraints } from './schema/constraints.js'
import type { LazyType, TupleType, WireType } from './wire-type.js'

/** A type in the words of an error: `int >= 0`, `array of string`, `"red" | "green"`, `Order`. */
export function describeType(type: WireType): string {
  const { constraints } = type
  return constraints ? `${describeKind(type)} ${describeConstraints(constraints)}` : describeKind(type)
}

function describeKind(type: WireType): string {
  switch (type.kind) {
    case 'ref':
      return type.name
    case 'literal':
      return JSON.stringify(type.value)
    case 'template':
      return type.text
    case 'bytes':
      return 'base64'
    case 'bigint':
      return type.value ?? 'integer'
    case 'url':
      return 'URL'
    case 'undefined':
    case 'void':
      return 'null'
    case 'array':
    case 'set':
      return `array of ${grouped(type.element)}`
    case 'map':
      return `object of ${grouped(type.value)}`
    case 'tuple':
      return describeTuple(type)
    case 'struct':
      return type.name ?? (type.members.length === 0 && type.rest ? `object of ${grouped(type.rest)}` : 'object')
    case 'union':
      return [...new Set(type.branches.map(describeType))].join(' | ')
    default:
      return type.kind
  }
}

/** `[int, string?, ...boolean]` */
function describeTuple({ elements, required, rest }: TupleType<LazyType>): string {
  const parts = elements.map((element, i) => (i < required ? describeType(element) : `${grouped(element)}?`))
  return `[${[...parts, ...(rest ? [`...${grouped(rest)}`] : [])].join(', ')}]`
}

function grouped(type: WireType): string {
  return type.kind === 'union' ? `(${describeType(type)})` : describeType(type)
}

const longest = 40

/** A value in the words of an error: `string "abc"`, `array`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string') {
    return `string ${JSON.stringify(cut(value))}`
  }
  if (typeof value === 'number') return `number ${value}`
  if (typeof value === 'bigint') return `integer ${cut(`${value}`)}`
  if (typeof value === 'boolean') return `boolean ${value}`
  return typeof value === 'object' ? describeObject(value) : typeof value
}

/** What an error calls a value that is not there. */
export const nothing = describeValue(undefined)

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `array of ${value.length}`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : `date ${value.toISOString()}`
  if (value instanceof URL) return `URL ${cut(value.href)}`
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return 'base64'
  if (value instanceof Map) return 'map'
  // `[object RegExp]`: what a class of the language or the host calls itself.
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return name === 'Object' ? 'object' : name === 'Set' ? 'set' : name
}
