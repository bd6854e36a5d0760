// Which rule a value does not meet: the code of an issue, and its limit.
import { kindOf } from './describe.js'
import { flattenUnion } from './inner-types.js'
import type { IssueRule, IssueType, IssueValue } from './issue.js'
import { isStruct } from './predicates.js'
import { exceedsMaxDigits } from './scalar-text.js'
import type { LazyType, TupleType, WireType } from './types.js'
import { identity, type Wire } from './wire.js'

/** Of a union whose branches reject a value for several reasons, and of a branch that rejects an inner value. */
export const noBranch: IssueRule = { code: 'anyOf' }

/** Returns the rule that a value which is not of a type does not meet, apart from the constraints of the type. */
export function unmetRule(type: WireType, value: unknown): IssueRule {
  if (value === undefined) return { code: 'required' }
  switch (type.kind) {
    case 'literal':
      return { code: 'const', limit: type.value }
    case 'bigint':
      if (type.value !== undefined) return { code: 'const', limit: integerOf(type.value) }
      break
    case 'template':
      if (typeof value === 'string') return { code: 'pattern', limit: type.pattern }
      break
    case 'tuple':
      if (Array.isArray(value)) return unmetLength(type, value) ?? noBranch
      break
    case 'array':
      if (Array.isArray(value)) return noBranch
      break
    case 'struct':
    case 'map':
      if (isStruct(value)) return noBranch
      break
    case 'union':
      return mergeRules(flattenUnion([type]).map((branch) => unmetRule(branch, value)))
  }
  return { code: 'type', limit: kindOf(type) }
}

/** JSON has no bigint: an integer that a double does not represent is its text, as in JSON Schemas. */
function integerOf(text: string): IssueValue {
  return Number.isSafeInteger(Number(text)) ? Number(text) : text
}

/** Returns the rule for a list whose length a tuple type does not allow; undefined for another one. */
export function unmetLength(
  { elements, required, rest }: TupleType<LazyType>,
  { length }: readonly unknown[],
): IssueRule | undefined {
  if (length < required) return { code: 'minItems', limit: required }
  return rest || length <= elements.length ? undefined : { code: 'maxItems', limit: elements.length }
}

/**
 * Returns the rule that a value of no branch of a union does not meet, by those of its branches: the expected kinds if all are of the code `type`,
 * the allowed values if they are literals, and null, otherwise `anyOf`.
 */
export function mergeRules(rules: readonly IssueRule[]): IssueRule {
  const [first = noBranch] = rules
  if (rules.length < 2) return first
  const kinds = new Set<IssueType>()
  const values = new Set<IssueValue>()
  for (const { code, limit = [] } of rules) {
    if (code !== 'type' && code !== 'const' && code !== 'enum') return noBranch
    const into = code === 'type' ? kinds : values
    for (const each of Array.isArray(limit) ? limit : [limit]) into.add(each)
  }
  const [kind = 'null', ...others] = kinds
  if (values.size === 0) return { code: 'type', limit: others.length === 0 ? kind : [kind, ...others] }
  if (others.length > 0 || kind !== 'null') return noBranch
  return { code: 'enum', limit: kinds.size > 0 ? [...values, null] : [...values] }
}

/** Returns what is wrong with a text that a protocol converts to the type, as JSON does for dates. */
export function malformedText({ kind }: WireType, value: unknown, { decodes, scalars }: Wire): string | undefined {
  if (!decodes || typeof value !== 'string') return undefined
  if (kind === 'url') return 'that is not an absolute URL'
  if (kind === 'bigint') return exceedsMaxDigits(value) ? undefined : 'that is not a decimal integer'
  // XML has elements for dates and bytes.
  if (scalars.readDate === identity) return undefined
  if (kind === 'bytes') return 'that is not base64'
  return kind === 'date' ? 'that is not a valid date such as 2026-01-31T12:00:00Z' : undefined
}
