import { property, quote } from '../../templates/text.js'

/** A value of JSON as an expression. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = memberTexts(value)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** The members of an object literal. */
export function memberTexts(value: object): string[] {
  return Object.entries(value).map(([name, each]) => property(name, valueText(each)))
}
