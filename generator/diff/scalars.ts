import { type Limits, limitsOf } from './limits.js'
import type { Steps } from './steps.js'
import { formOf, nullType, unionOf } from './type.js'

/** The bounds of an `Int`. */
export const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
const whole: Limits = [['multipleOf', 1]]

/** The text of a bigint in JSON. */
export const bigintText = '^-?\\d+$'

/** Scalars as params or in results; `ofNumber` is the element of a `number` there. A param `double` accepts an `<int>`: all are one element. */
export function scalarsFor(isParam: boolean, steps: Steps, ofNumber: 'number' | 'double' = 'number') {
  const number = (word: string, element: string, limits: Limits = []) => {
    return formOf('number', { word, element: isParam ? 'number' : element, limits })
  }
  const text = (word: string, element: string, limits: Limits = []) => formOf('text', { word, element, limits })
  const integer = number('integer', 'number', whole)
  const bigint = text('bigint', isParam ? 'string' : 'i8', limitsOf({ pattern: bigintText }))
  return {
    any: formOf('any'),
    null: nullType,
    undefined: nullType,
    void: nullType,
    boolean: formOf('boolean'),
    int: number('Int', 'int', [...limitsOf(int32), ...whole]),
    double: number('Double', 'double'),
    number: number('number', ofNumber),
    integer,
    string: text('string', 'string'),
    url: text('URL', 'string', [['format', 'uri']]),
    // A result is the date-time of RFC 3339, a param may have further forms.
    date: text('Date', 'dateTime.iso8601', [['format', isParam ? 'Date' : 'date-time']]),
    bytes: text('bytes', 'base64', [['format', 'base64']]),
    // A param is decimal text or an integer.
    bigint: isParam ? unionOf([bigint, integer], steps) : bigint,
  } as const
}
