import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from './model.js'

/** What a value of a kind is in JSON. A literal is known to the letter and stands beside its base. */
const formOf: Partial<Record<ModelType['kind'], string>> = {
  int: 'number',
  double: 'number',
  number: 'number',
  bigint: 'integer or string',
  string: 'string',
  template: 'string',
  date: 'string',
  url: 'string',
  bytes: 'string',
  array: 'array',
  set: 'array',
  tuple: 'array',
  struct: 'object',
  map: 'object',
}

/** The types that a type may be, unions and references resolved. */
export function flatten(type: ModelType, types: Pick<TypesByName, 'get'>): ModelType[] {
  if (type.kind === 'union') return type.branches.flatMap((branch) => flatten(branch, types))
  if (type.kind !== 'ref') return [type]
  const named = types.get(type.name)
  return named ? flatten(named.type, types) : []
}

/** Whether values of two kinds may be the same in JSON. */
export function shareForm(one: ModelType, other: ModelType): boolean {
  const [a, b] = [formOf[one.kind], formOf[other.kind]]
  if (a === undefined || b === undefined) return false
  return a === b || (a.includes('string') && b.includes('string')) || (isNumeric(a) && isNumeric(b))
}

function isNumeric(form: string): boolean {
  return form === 'number' || form.startsWith('integer')
}

/** Whether no value is of both types, by their forms in JSON. */
export function areDisjoint(one: ModelType, other: ModelType, types: TypesByName): boolean {
  return flatten(one, types).every((a) => flatten(other, types).every((b) => cannotMeet(a, b)))
}

function cannotMeet(a: ModelType, b: ModelType): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (a.kind === 'literal' && b.kind === 'literal') return a.value !== b.value
  const [one, other] = [a, b].map((type) =>
    type.kind === 'literal' ? typeof type.value : (formOf[type.kind] ?? type.kind),
  )
  return one !== other && !shareForm(a, b)
}
