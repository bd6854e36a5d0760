import type { Constraints } from '../../runtime/schema/constraints.js'
import { quote } from '../../templates/text.js'
import type { ModelType } from '../model/model.js'
import type { Planner } from './planner.js'

/** Kinds whose test proves to TypeScript that a value is a number or a bigint, or a string. */
const numeric = new Set(['int', 'double', 'number', 'bigint'])
const textual = new Set(['string', 'template'])

/** What TypeScript narrows: a variable, or a member of one by a literal. */
const narrowed = /^[\w$]+(?:\[[^\]]*\])?$/

/** The tests for the constraints of a type, of a value that is known to be of its kind; none where it has none. */
export function constraintTests({ kind, constraints }: ModelType, value: string, planner: Planner): string[] {
  if (!constraints) return []
  const proved = narrowed.test(value) && (numeric.has(kind) || textual.has(kind))
  if (!proved && kind !== 'array' && kind !== 'set') {
    return [`${planner.imports.codegen('meets')}(${value}, ${constraintsText(constraints)})`]
  }
  return Object.entries(constraints).map(([name, limit]) => testText(name as keyof Constraints, limit, value, planner))
}

const operators: Partial<Record<keyof Constraints, string>> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
  minLength: '>=',
  maxLength: '<=',
  minItems: '>=',
  maxItems: '<=',
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
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `${value} ${operators[name]} ${limit}`
    default:
      return `${imports.codegen('lengthOf')}(${value}) ${operators[name]} ${limit}`
  }
}

/** `{ minimum: 0, pattern: '^a' }` */
export function constraintsText(constraints: Constraints): string {
  const entries = Object.entries(constraints).map(([name, limit]) => {
    return `${name}: ${typeof limit === 'string' ? quote(limit) : String(limit)}`
  })
  return `{ ${entries.join(', ')} }`
}
