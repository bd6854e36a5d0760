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
  if (differByText(a, b)) return true
  const [one, other] = [a, b].map((type) =>
    type.kind === 'literal' ? typeof type.value : (formOf[type.kind] ?? type.kind),
  )
  return one !== other && !shareForm(a, b)
}

/** The strings that are decoded to a kind: a literal that is one, and the texts that a template may have around its holes. */
interface TextForm {
  readonly literal: RegExp
  /** The text before the first hole. */
  readonly start: RegExp
  /** The text behind a hole. */
  readonly rest: RegExp
}

const base64 = /^[A-Za-z0-9+/=\s]*$/
const everything = /^/

/** Each expression may match more than the kind's decoder accepts, and never less. */
const textForms: Partial<Record<ModelType['kind'], TextForm>> = {
  date: { literal: /^\d{4}-/, start: /^(?:\d[\d:.,+ tz-]*)?$/i, rest: /^[\d:.,+ tz-]*$/i },
  // `URL` ignores white space and control characters before the scheme, and line breaks in it.
  url: {
    literal: /^[\s\p{Cc}]*[a-z][a-z0-9+.\s-]*:/iu,
    start: /^[\s\p{Cc}]*(?:[a-z][a-z0-9+.\s-]*(?::|$)|$)/iu,
    rest: everything,
  },
  bytes: { literal: base64, start: base64, rest: base64 },
  bigint: { literal: /^-?\d+$/, start: /^-?\d*$/, rest: /^\d*$/ },
}

/** True if some strings are decoded to values of the type. */
export function hasTextForm({ kind }: ModelType): boolean {
  return textForms[kind] !== undefined
}

/** True if one type is a literal or a template, and none of its texts is decoded to a value of the other type. */
export function differByText(one: ModelType, other: ModelType): boolean {
  const [text, { kind }] = hasTextForm(one) ? [other, one] : [one, other]
  const form = textForms[kind]
  if (!form) return false
  if (text.kind === 'literal') {
    const mayBeRead = typeof text.value === 'string' || (typeof text.value === 'number' && kind === 'bigint')
    return !mayBeRead || !form.literal.test(String(text.value))
  }
  if (text.kind !== 'template') return false
  return textsOf(text.text).some(([start = '', ...rest]) => {
    return !form.start.test(start) || !rest.every((each) => form.rest.test(each))
  })
}

/** The texts around the holes of a template, and of each that it is intersected with; none where one is escaped. */
function textsOf(template: string): string[][] {
  if (template.includes('\\')) return []
  return template
    .slice(1, -1)
    .split('` & `')
    .map((each) => each.split(/\$\{\w+\}/))
}
