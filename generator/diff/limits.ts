// What a type demands of its values beside their kind. One type is within another if it implies each limit of the other:
//
//     [['minimum', 1], ['maximum', 9]]  is within  [['exclusiveMinimum', 0]]
import { type Constraints, constraintForms, meets } from '../../runtime/values/constraints.js'
import { alternativeOfName, covers, readPattern } from './patterns.js'

/** A list, since a type can have several patterns or formats: its own, and that of its kind. */
export type Limits = readonly Limit[]
type Limit = readonly [name: keyof Constraints, limit: string | number | boolean]

/** Returns constraints as limits, without those that every value meets. */
export function limitsOf(constraints: Readonly<Record<string, unknown>> = {}): Limits {
  const limits = Object.entries(constraints).filter(([, limit]) => limit !== undefined) as unknown as Limits
  return limits.filter(
    ([name, limit]) => limit !== false && !(/^min(?:Length|Items)$/.test(name) && Number(limit) <= 0),
  )
}

/** Returns limits with further ones, without those that others imply. */
export function withLimits(limits: Limits, further: Limits): Limits {
  return further.reduce<Limits>((all, limit) => {
    if (all.some((each) => implies(each, limit))) return all
    return [...all.filter((each) => !implies(limit, each)), limit]
  }, limits)
}

/** Returns the steps to compare limits with others: each is compared with each, and patterns may be long. */
export function stepsWithin(sub: Limits, sup: Limits): number {
  return (sizeOf(sub) * sizeOf(sup)) >> 4
}

function sizeOf(limits: Limits): number {
  return limits.reduce((sum, [, limit]) => sum + 1 + (`${limit}`.length >> 6), 0)
}

/** True if every value within `sub` is within `sup`. `false` may be wrong: patterns and formats are compared as text. */
export function isWithin(sub: Limits, sup: Limits): boolean {
  // Both, since a bound beyond 2 ** 53 is rounded: that of 64 bits, for instance.
  const own = isInteger(sub) ? [...sub, ...sub.map(wholeLimit)] : sub
  return sup.every((limit) => own.some((each) => implies(each, limit)))
}

/** True if a constant is within limits. `false` may be wrong: formats are not tested, and no pattern is run. */
export function hasWithin(value: unknown, limits: Limits): boolean {
  return limits.every(([name, limit]) => {
    if (name === 'format') return false
    if (name === 'pattern')
      return typeof value === 'string' && covers(readPattern(`${limit}`), alternativeOfName(value))
    return (typeof value === 'string') === (constraintForms[name][0] === 'text') && meets(value, { [name]: limit })
  })
}

function implies([name, own]: Limit, [wanted, limit]: Limit): boolean {
  const [from, to] = [Number(own), Number(limit)]
  if (wanted === 'uniqueItems') return name === wanted || (name === 'maxItems' && from <= 1)
  // Of a bound and an exclusive one, either may imply the other.
  if (inclusive(name) !== inclusive(wanted)) return false
  if (/^max/.test(inclusive(wanted))) return from < to || (from === to && (name === wanted || wanted === 'maximum'))
  if (/^min/.test(inclusive(wanted))) return from > to || (from === to && (name === wanted || wanted === 'minimum'))
  if (wanted === 'pattern') return covers(readPattern(`${limit}`), readPattern(`${own}`))
  // Fractions are rounded, so that they are a multiple of themselves only.
  return own === limit || (wanted === 'multipleOf' && [from, to].every(Number.isSafeInteger) && from % to === 0)
}

/** `minimum` for `exclusiveMinimum`. */
function inclusive(name: string): string {
  return name.replace('exclusiveM', 'm')
}

function isInteger(limits: Limits): boolean {
  return limits.some(([name, limit]) => name === 'multipleOf' && Number.isInteger(limit))
}

/** Returns the limit that integers have: `> 0` is `>= 1`. */
function wholeLimit([name, limit]: Limit): Limit {
  const bound = Number(limit)
  if (name === 'minimum') return [name, Math.ceil(bound)]
  if (name === 'maximum') return [name, Math.floor(bound)]
  if (name === 'exclusiveMinimum') return ['minimum', Math.floor(bound) + 1]
  return name === 'exclusiveMaximum' ? ['maximum', Math.ceil(bound) - 1] : [name, limit]
}

/** Returns the fewest and the most elements that a list can have. */
export function lengthsOf(limits: Limits): readonly [least: number, most: number] {
  const all = (wanted: string) => limits.flatMap(([name, limit]) => (name === wanted ? [Number(limit)] : []))
  return [Math.max(0, ...all('minItems')), Math.min(...all('maxItems'))]
}
