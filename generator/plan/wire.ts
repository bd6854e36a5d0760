import type { WirePlan } from '../../templates/predicate.js'
import { property, quote } from '../../templates/text.js'
import type { ModelType, NamedType } from '../model/model.js'
import { constraintsText } from './constraints.js'
import type { Planner } from './planner.js'

const scalarConstants: Readonly<Record<string, string>> = { null: 'nil', undefined: 'absent', void: 'nothing' }

/** Tells the types that are not written yet. */
type Open = Pick<ReadonlySet<string>, 'has'>

/** The wire type as an expression: `array(string)`, `order`, `union([date, nil])`. */
export function wireExpression(type: ModelType, planner: Planner, open: Open = new Set()): string {
  const plain = kindExpression(type, planner, open)
  if (!type.constraints) return plain
  return `${planner.imports.codegen('constrained')}(${plain}, ${constraintsText(type.constraints)})`
}

function kindExpression(type: ModelType, planner: Planner, open: Open): string {
  const { imports } = planner
  const inner = (each: ModelType) => wireExpression(each, planner, open)
  switch (type.kind) {
    case 'ref': {
      const { constant } = planner.namesOf(type.name)
      return open.has(type.name) ? `${imports.codegen('ref')}(${quote(type.name)}, () => ${constant})` : constant
    }
    case 'literal':
      return `${imports.codegen('literal')}(${literal(type.value)})`
    case 'bigint':
      return type.value === undefined ? imports.codegen('bigint') : `${imports.codegen('literal')}(${type.value}n)`
    case 'template':
      return `${imports.codegen('template')}(${quote(type.text)}, ${quote(type.pattern)})`
    case 'bytes':
      return `${imports.codegen('bytes')}(${type.as === 'Uint8Array' ? '' : quote(type.as)})`
    case 'array':
    case 'set':
      return `${imports.codegen(type.kind)}(${inner(type.element)})`
    case 'map':
      return `${imports.codegen('map')}(${inner(type.value)})`
    case 'tuple': {
      const elements = `[${type.elements.map(inner).join(', ')}]`
      const rest = type.rest ? `, ${inner(type.rest)}` : ''
      const required = rest !== '' || type.required < type.elements.length ? `, ${type.required}` : ''
      return `${imports.codegen('tuple')}(${elements}${required}${rest})`
    }
    case 'struct':
      return type.members.length === 0 && type.rest
        ? `${imports.codegen('record')}(${inner(type.rest)}${keysArgument(type, planner)})`
        : structCall('', type, planner, open).join(', ')
    case 'union': {
      const discriminant = type.discriminant === undefined ? '' : `, ${quote(type.discriminant)}`
      return `${imports.codegen('union')}([${type.branches.map(inner).join(', ')}]${discriminant})`
    }
    default:
      return imports.codegen(scalarConstants[type.kind] ?? type.kind)
  }
}

export function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? quote(value) : String(value)
}

/** The wire type of a named type, in parts that can be broken over lines. `open` are the types not yet written. */
export function planWire(named: NamedType, planner: Planner, open: Open): WirePlan {
  const { constant } = planner.namesOf(named.name)
  const plain = planUnnamed(named, planner, open)
  // A struct tells its name itself.
  if (named.type.kind === 'struct' && !named.anonymous && named.doc === undefined) return { constant, ...plain }
  const doc = named.doc === undefined ? '' : `, ${quote(named.doc)}`
  return {
    constant,
    open: `${planner.imports.codegen(named.anonymous ? 'unnamed' : 'named')}(${quote(named.name)}, ${plain.open}`,
    items: plain.items,
    close: `${plain.close}${doc})`,
  }
}

function planUnnamed({ name, type, anonymous }: NamedType, planner: Planner, open: Open): Omit<WirePlan, 'constant'> {
  if (type.kind === 'struct') {
    const [first = '', ...items] = structCall(anonymous ? '' : name, type, planner, open)
    return { open: first, items, close: closeOf(type, planner, open) }
  }
  if (type.kind === 'union') {
    const items = type.branches.map((branch) => wireExpression(branch, planner, open))
    const close = type.discriminant === undefined ? '])' : `], ${quote(type.discriminant)})`
    return { open: `${planner.imports.codegen('union')}([`, items, close }
  }
  return { open: wireExpression(type, planner, open), items: [], close: '' }
}

type Struct = Extract<ModelType, { kind: 'struct' }>

function structCall(name: string, type: Struct, planner: Planner, open: Open): string[] {
  const members = type.members.map((member) => property(member.name, memberExpression(member, planner, open)))
  return [`${planner.imports.codegen('struct')}(${quote(name)}, {`, ...members]
}

function memberExpression({ type, optional, doc }: Struct['members'][number], planner: Planner, open: Open): string {
  const expression = wireExpression(type, planner, open)
  if (!optional && doc === undefined) return expression
  const args = doc === undefined ? expression : `${expression}, ${quote(doc)}`
  return `${planner.imports.codegen(optional ? 'optional' : 'documented')}(${args})`
}

function closeOf(type: Struct, planner: Planner, open: Open): string {
  return type.rest ? `}, ${wireExpression(type.rest, planner, open)}${keysArgument(type, planner)})` : '})'
}

function keysArgument({ keys }: Struct, { imports }: Planner): string {
  return keys ? `, ${imports.codegen('keys')}(${quote(keys.text)}, ${quote(keys.pattern)})` : ''
}
