import type { DescribedParam, TypesByName } from '../../schema/description.js'
import { sampleOf } from '../sample.js'
import { make } from './dom.js'
import type { Field, Place } from './field.js'
import { makeField } from './fields.js'
import { listField, optionalField } from './lists.js'
import { positional } from './positional.js'

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
  const place: Place = { label: name, types, inside: [], make: makeField, doc }
  if (rest) return listField({ kind: 'array', element: type }, type, place)
  const field = optional ? optionalField(type, place) : makeField(type, place)
  if (!optional) field.write(sampleOf(type, types))
  return field
}
