import { type Constraints, inTestOrder } from '../../runtime/schema/constraints.js'
import { quote } from '../../templates/text.js'
import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'

/** Kinds whose test proves to TypeScript that a value is a number or a bigint, or a string. */
const numeric = new Set(['int', 'double', 'number', 'bigint'])
const textual = new Set(['string', 'template'])

/** What TypeScript narrows: a variable, or a member of one by a literal. */
const narrowed = /^[\w$]+(?:\[[^\]]*\])?$/

/** The tests for the constraints of a type, of a value that is known to be of its kind; none where it has none. */
export function constraintTests(type: ModelType, value: string, planner: Planner): string[] {
  const { kind } = type
  const constraints = withoutLengths(type, planner)
  if (Object.keys(constraints).length === 0) return []
  const proved = narrowed.test(value) && (numeric.has(kind) || textual.has(kind))
  if (!proved && kind !== 'array' && kind !== 'set') {
    return [`${planner.imports.codegen('meets')}(${value}, ${constraintsText(constraints)})`]
  }
  return inTestOrder(constraints).map(([name, limit]) => testText(name, limit, value, planner))
}

/**
 * The tests for lengths that are declared where a named string type is used. They run before the test of that type, which
 * may have a pattern.
 */
export function lengthTests(type: ModelType, value: string, planner: Planner): string[] {
  const { minLength, maxLength } = type.constraints ?? {}
  if (!isNamedText(type, planner) || (minLength ?? maxLength) === undefined) return []
  const lengths = inTestOrder({ minLength, maxLength })
  return [`typeof ${value} === 'string'`, ...lengths.map(([name, limit]) => testText(name, limit, value, planner))]
}

function withoutLengths(type: ModelType, planner: Planner): Constraints {
  const { minLength: _minLength, maxLength: _maxLength, ...others } = type.constraints ?? {}
  return isNamedText(type, planner) ? others : (type.constraints ?? {})
}

function isNamedText(type: ModelType, planner: Planner): boolean {
  return type.kind === 'ref' && textual.has(planner.typeOf(type.name).type.kind)
}

const operators: Partial<Record<keyof Constraints, string>> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
}

function testText(name: keyof Constraints, limit: unknown, value: string, { imports }: Planner): string {
  switch (name) {
    case 'multipleOf':
      return Number.isInteger(limit)
        ? `${value} % ${limit} === 0`
        : `${imports.codegen('isMultiple')}(${value}, ${limit})`
    case 'pattern':
      return `${new RegExp(String(limit), 'u')}.test(${value})`
    case 'format':
      return `${imports.codegen('isFormat')}(${value}, ${quote(String(limit))})`
    case 'uniqueItems':
      return `${imports.codegen('isUnique')}(${value})`
    case 'maxLength':
    case 'maxItems':
      return `${imports.codegen('isAtMost')}(${value}, ${limit})`
    case 'minLength':
    case 'minItems':
      return `${imports.codegen('isAtLeast')}(${value}, ${limit})`
    default:
      return `${value} ${operators[name]} ${limit}`
  }
}

/** `{ minimum: 0, pattern: '^a' }` */
export function constraintsText(constraints: Constraints): string {
  const entries = Object.entries(constraints).map(([name, limit]) => {
    return `${name}: ${typeof limit === 'string' ? quote(limit) : String(limit)}`
  })
  return `{ ${entries.join(', ')} }`
}
