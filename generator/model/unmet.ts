import type { Constraints } from '../../runtime/constraints.js'

const tests: { readonly [Name in keyof Constraints]?: (value: number | string, limit: never) => boolean } = {
  minimum: (value, limit: number) => Number(value) >= limit,
  maximum: (value, limit: number) => Number(value) <= limit,
  exclusiveMinimum: (value, limit: number) => Number(value) > limit,
  exclusiveMaximum: (value, limit: number) => Number(value) < limit,
  multipleOf: (value, limit: number) => Math.abs(Number(value) / limit - Math.round(Number(value) / limit)) < 1e-9,
  minLength: (value, limit: number) => [...String(value)].length >= limit,
  maxLength: (value, limit: number) => [...String(value)].length <= limit,
  pattern: (value, limit: string) => new RegExp(limit, 'u').test(String(value)),
}

/** The constraint that a literal does not meet; a format is not looked at. */
export function unmetBy(value: number | string, constraints: Constraints): keyof Constraints | undefined {
  const names = Object.keys(constraints) as (keyof Constraints)[]
  return names.find((name) => tests[name] && !tests[name](value, constraints[name] as never))
}
