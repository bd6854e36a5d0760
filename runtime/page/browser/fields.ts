import { type PlainType, resolveConstrained } from '../../schema/described-types.js'
import type { DescribedType } from '../../schema/description.js'
import { textOf } from '../type-text.js'
import type { Field, Place } from './field.js'
import { listField, mapField, tupleField } from './lists.js'
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
export function makeField(type: DescribedType, where: Place): Field {
  const place = { ...where, shown: textOf(type) }
  if (type.kind === 'custom') return makeField(type.wire, where)
  if (type.kind !== 'ref') return ofKind(type, place)
  if (place.inside.includes(type.name)) return laterField(type, place)
  return ofKind(resolveConstrained(type, place.types), { ...place, inside: [...place.inside, type.name] })
}

function ofKind(type: PlainType, place: Place): Field {
  switch (type.kind) {
    case 'int':
    case 'double':
    case 'number':
      return numberField(type, place)
    case 'bigint':
      return bigintField(type, place)
    case 'string':
    case 'template':
    case 'url':
      return stringField(type, place)
    case 'boolean':
      return choiceField(type, place, [true, false])
    case 'date':
      return dateField(type, place)
    case 'bytes':
      return bytesField(type, place)
    case 'literal':
      return fixedField(place, type.value)
    case 'array':
    case 'set':
      return listField(type, type.element, place)
    case 'tuple':
      return tupleField(type, place)
    case 'struct':
      return structField(type, place)
    case 'map':
      return mapField(type, place)
    case 'union':
      return unionField(type, place)
    case 'any':
      return anyField(type, place)
    default:
      return fixedField(place, (type.kind satisfies 'null' | 'undefined' | 'void') === 'null' ? null : undefined)
  }
}
