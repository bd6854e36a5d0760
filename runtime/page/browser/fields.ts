import { type PlainType, resolveConstrained } from '../../description/described-types.js'
import type { DescribedParam, DescribedType, TypesByName } from '../../description/description.js'
import { sampleOf } from '../sample.js'
import { textOf } from '../type-text.js'
import { make } from './dom.js'
import type { Field, FieldContext } from './field.js'
import { listField, mapField, optionalField, tupleField } from './lists.js'
import { positional } from './request.js'
import {
  anyField,
  bigintField,
  bytesField,
  choiceField,
  dateField,
  fixedField,
  numberField,
  stringField,
} from './scalars.js'
import { laterField, structField, unionField } from './structs.js'

/** The field of a type. */
function makeField(type: DescribedType, outer: FieldContext): Field {
  const context = { ...outer, shown: textOf(type) }
  if (type.kind === 'custom') return makeField(type.wire, outer)
  if (type.kind !== 'ref') return ofKind(type, context)
  if (context.inside.includes(type.name)) return laterField(type, context)
  return ofKind(resolveConstrained(type, context.types), { ...context, inside: [...context.inside, type.name] })
}

function ofKind(type: PlainType, context: FieldContext): Field {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'number':
      return numberField(type, context)
    case 'bigint':
      return bigintField(type, context)
    case 'string':
    case 'template':
    case 'url':
      return stringField(type, context)
    case 'boolean':
      return choiceField(type, context, [true, false])
    case 'date':
      return dateField(type, context)
    case 'bytes':
      return bytesField(type, context)
    case 'literal':
      return fixedField(context, type.value)
    case 'array':
    case 'set':
      return listField(type, type.element, context)
    case 'tuple':
      return tupleField(type, context)
    case 'struct':
      return structField(type, context)
    case 'map':
      return mapField(type, context)
    case 'union':
      return unionField(type, context)
    case 'any':
      return anyField(type, context)
    default:
      return fixedField(context, (type.kind satisfies 'null' | 'undefined' | 'void') === 'null' ? null : undefined)
  }
}

/** The parameters of a procedure as a form. */
export interface Arguments {
  readonly element: HTMLElement
  /** By position, in JSON form: a parameter that is omitted before others is null. */
  list(): unknown[]
  named(): Readonly<Record<string, unknown>>
  /** Fills the form from a call by position. */
  fill(values: readonly unknown[]): void
}

/** Creates it, filled with samples of required values. */
export function createArguments(params: readonly DescribedParam[], types: TypesByName): Arguments {
  const fields = params.map((each) => ({ ...each, field: paramField(each, types) }))
  const none = params.length === 0 ? [make('p', { class: 'hint' }, 'It takes no parameters.')] : []
  const read = () => fields.map(({ field, name, rest = false }) => ({ name, rest, value: field.read() }))
  return {
    element: make('div', { class: 'arguments' }, ...none, ...fields.map(({ field }) => field.element)),
    list: () => positional(read().flatMap(({ rest, value }) => (rest ? (value as unknown[]) : [value]))),
    named: () =>
      Object.fromEntries(
        read().flatMap(({ name, rest, value }) =>
          value === undefined || (rest && (value as unknown[]).length === 0) ? [] : [[name, value]],
        ),
      ),
    fill(values) {
      for (const [index, { field, rest, optional }] of fields.entries()) {
        const given = rest ? values.slice(index) : values[index]
        field.write(optional && given === null ? undefined : given)
      }
    },
  }
}

function paramField({ name, type, optional, rest, doc }: DescribedParam, types: TypesByName): Field {
  const context: FieldContext = { label: name, types, inside: [], make: makeField, doc }
  if (rest) return listField({ kind: 'array', element: type }, type, context)
  const field = optional ? optionalField(type, context) : makeField(type, context)
  if (!optional) field.write(sampleOf(type, types))
  return field
}
