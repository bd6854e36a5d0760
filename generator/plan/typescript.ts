import { key } from '../../templates/text.js'
import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'
import { literal } from './wire.js'

const scalarTexts: Readonly<Record<string, string>> = {
  double: 'Double',
  int: 'Int',
  date: 'Date',
  url: 'URL',
  any: 'unknown',
}

/**
 * A type as TypeScript writes it, its names imported; undefined where it holds a type that cannot be imported, or an
 * object type whose optional members read differently under exactOptionalPropertyTypes.
 */
export function typeText(type: ModelType, planner: Planner): string | undefined {
  return isNameable(type, planner) ? write(type, planner) : undefined
}

/** `open` has the names of the types that this one is in: what contains itself cannot be written out. */
function isNameable(type: ModelType, planner: Planner, open: readonly string[] = []): boolean {
  const inner = (each: ModelType) => isNameable(each, planner, open)
  switch (type.kind) {
    case 'ref':
      return planner.typeOf(type.name).declared !== undefined || isPlainObject(type.name, planner, open)
    case 'template':
      return false
    case 'array':
    case 'set':
      return inner(type.element)
    case 'map':
      return inner(type.value)
    case 'tuple':
      return type.elements.every(inner) && (!type.rest || inner(type.rest))
    case 'struct':
      if (type.keys && type.keys.text !== 'number') return false
      return type.members.every((member) => !member.optional && inner(member.type)) && (!type.rest || inner(type.rest))
    case 'union':
      return type.branches.every(inner)
    default:
      return true
  }
}

/** An object type without a name in the source can be written where it stands, unless it contains itself. */
function isPlainObject(name: string, planner: Planner, open: readonly string[]): boolean {
  const { anonymous, branded, type } = planner.typeOf(name)
  return (
    Boolean(anonymous) &&
    !branded &&
    !open.includes(name) &&
    type.kind === 'struct' &&
    type.members.every((member) => isFlat(member.type, planner)) &&
    isNameable(type, planner, [...open, name])
  )
}

function isFlat(type: ModelType, planner: Planner): boolean {
  if (type.kind === 'ref') return planner.typeOf(type.name).declared !== undefined
  if (type.kind === 'array') return isFlat(type.element, planner)
  return type.kind === 'union' ? type.branches.every((branch) => isFlat(branch, planner)) : type.kind !== 'struct'
}

function write(type: ModelType, planner: Planner): string {
  const inner = (each: ModelType) => write(each, planner)
  switch (type.kind) {
    case 'ref': {
      const { declared, type: target } = planner.typeOf(type.name)
      if (!declared) return inner(target)
      const local = planner.imports.type(declared.module, declared.name, type.name)
      return declared.member === undefined ? local : `${local}.${declared.member}`
    }
    case 'int':
    case 'double':
      return planner.imports.codegenType(scalarTexts[type.kind] ?? type.kind)
    case 'literal':
      return literal(type.value)
    case 'bigint':
      return type.value === undefined ? 'bigint' : `${type.value}n`
    case 'bytes':
      return type.as
    case 'array':
      return `${type.readonly ? 'readonly ' : ''}${grouped(inner(type.element))}[]`
    case 'set':
      return `${type.readonly ? 'ReadonlySet' : 'Set'}<${inner(type.element)}>`
    case 'map':
      return `${type.readonly ? 'ReadonlyMap' : 'Map'}<string, ${inner(type.value)}>`
    case 'tuple':
      return tupleText(type, inner)
    case 'struct':
      return type.members.length === 0 && type.rest
        ? `Record<${type.keys?.text ?? 'string'}, ${inner(type.rest)}>`
        : structText(type, inner)
    case 'union':
      return type.branches.map(inner).join(' | ')
    default:
      return scalarTexts[type.kind] ?? type.kind
  }
}

/** A type to which `[]` or `?` can be put: in brackets, unless it is one word or stands in brackets of its own. */
export function grouped(text: string): string {
  return /[ |]/.test(text) && !isBracketed(text) ? `(${text})` : text
}

/** Whether the first bracket of a type is closed by its last character; brackets in literals are none. */
function isBracketed(text: string): boolean {
  const bare = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '')
  if (!/^[{[]/.test(bare)) return false
  let open = 0
  for (let i = 0; i < bare.length; i += 1) {
    if (/[{[(]/.test(bare.charAt(i))) open += 1
    else if (/[}\])]/.test(bare.charAt(i))) open -= 1
    if (open === 0) return i === bare.length - 1
  }
  return false
}

export function tupleText(type: Extract<ModelType, { kind: 'tuple' }>, inner: (type: ModelType) => string): string {
  const elements = type.elements.map((element, i) =>
    i < type.required ? inner(element) : `${grouped(inner(element))}?`,
  )
  const rest = type.rest ? [`...${grouped(inner(type.rest))}[]`] : []
  return `${type.readonly ? 'readonly ' : ''}[${[...elements, ...rest].join(', ')}]`
}

/** An object type; one that may hold itself cannot be written with Record. */
export function structText(type: Extract<ModelType, { kind: 'struct' }>, inner: (type: ModelType) => string): string {
  const members = type.members.map(
    ({ name, type: member, optional }) => `${key(name)}${optional ? '?' : ''}: ${inner(member)}`,
  )
  if (members.length === 0 && !type.rest) return 'Record<string, never>'
  const rest = type.rest ? [`[name: ${type.keys?.text ?? 'string'}]: ${restText(type, inner)}`] : []
  return `{ ${[...members, ...rest].join('; ')} }`
}

/** The type of an index signature: an optional member beside it may be undefined, unless exactOptionalPropertyTypes is set. */
export function restText(
  { members, rest }: Extract<ModelType, { kind: 'struct' }>,
  inner: (type: ModelType) => string,
): string {
  const text = rest ? inner(rest) : 'never'
  return members.some(({ optional }) => optional) && text !== 'unknown' ? `${text} | undefined` : text
}
