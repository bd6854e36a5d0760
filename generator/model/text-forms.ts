import type { ScalarKind } from '../../runtime/values/types.js'
import type { Kind, ModelType } from './model.js'

/** The strings that are decoded to a kind: as a literal, and as the parts of a template around its placeholders. */
interface TextForm {
  readonly literal: RegExp
  /** The text before the first placeholder. */
  readonly start: RegExp
  /** The text after a placeholder. */
  readonly rest: RegExp
}

const base64 = /^[A-Za-z0-9+/=\s]*$/
const everything = /^/

/** Kinds that JSON represents unchanged. */
type Plain = 'int' | 'double' | 'number' | 'string' | 'boolean' | 'null' | 'undefined' | 'void' | 'any'

/** Each expression may match more than the kind's decoder accepts, but not less. */
const textForms: Readonly<Record<Exclude<ScalarKind, Plain> | 'bytes' | 'bigint', TextForm>> = {
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

function textFormOf(kind: Kind): TextForm | undefined {
  return (textForms as Partial<Record<Kind, TextForm>>)[kind]
}

/** True if some strings are decoded to values of the type. */
export function hasTextForm({ kind }: ModelType): boolean {
  return textFormOf(kind) !== undefined
}

/** True if two types are literals or templates without a common text, or if one is and none of its texts is decoded to the other. */
export function differByText(one: ModelType, other: ModelType): boolean {
  if (one.kind === 'literal' && other.kind === 'literal') return one.value !== other.value
  const [text, type] = hasTextForm(one) || other.kind === 'literal' ? [other, one] : [one, other]
  if (text.kind === 'literal') return !mayBeText(text.value, type)
  if (text.kind !== 'template') return false
  if (type.kind === 'template') return haveDisjointStarts(text.text, type.text)
  const form = textFormOf(type.kind)
  if (!form) return false
  return textsAround(text.text).some(([start = '', ...rest]) => {
    return !form.start.test(start) || !rest.every((each) => form.rest.test(each))
  })
}

/** True if a literal may be a string or number of a type. */
function mayBeText(value: string | number | boolean, type: ModelType): boolean {
  if (type.kind === 'template') return typeof value === 'string' && new RegExp(type.pattern).test(value)
  const form = textFormOf(type.kind)
  if (!form) return true
  const isRead = typeof value === 'string' || (typeof value === 'number' && type.kind === 'bigint')
  return isRead && form.literal.test(String(value))
}

/** True if no text can begin with the text before the first placeholder of both templates. */
function haveDisjointStarts(one: string, other: string): boolean {
  const [starts, others] = [one, other].map((each) => textsAround(each).map(([start = '']) => start)) as [
    string[],
    string[],
  ]
  return starts.some((a) => others.some((b) => !a.startsWith(b) && !b.startsWith(a)))
}

/** Returns the texts around the placeholders of a template and of those it is intersected with; none if one is escaped. */
function textsAround(template: string): string[][] {
  if (template.includes('\\')) return []
  return template
    .slice(1, -1)
    .split('` & `')
    .map((each) => each.split(/\$\{\w+\}/))
}
