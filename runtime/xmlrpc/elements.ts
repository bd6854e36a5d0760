import { scalars } from './scalars.js'

/** The child elements that each element of XML-RPC may have; a value has one of many. */
export const children = {
  methodCall: ['methodName', 'params'],
  methodResponse: ['params', 'fault'],
  fault: ['value'],
  params: ['param'],
  param: ['value'],
  array: ['data'],
  data: ['value'],
  struct: ['member'],
  member: ['name', 'value'],
} as const

export type Parent = keyof typeof children
export type Child<P extends Parent> = (typeof children)[P][number]

const ownNames: ReadonlySet<string> = new Set([
  ...Object.keys(children),
  ...Object.values(children).flat(),
  'string',
  ...scalars.keys(),
])

/**
 * Returns `<param>` for an element of XML-RPC. Any other name may be part of a value with an unescaped `<` in it, which an
 * error must not show: `an unknown element`.
 */
export function describeElement(name: string): string {
  return ownNames.has(name) ? `<${name}>` : 'an unknown element'
}

/** Returns `</param>` for an element of XML-RPC, otherwise `the closing tag of an unknown element`. */
export function describeClosingTag(name: string): string {
  return ownNames.has(name) ? `</${name}>` : `the closing tag of ${describeElement(name)}`
}
