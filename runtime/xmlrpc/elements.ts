/** An element, and its tag as nearly everybody writes it. */
export interface Element {
  readonly name: string
  readonly open: string
}

/** The element of a name. */
function element(name: string): Element {
  return { name, open: `<${name}>` }
}

export const methodCall: Element = element('methodCall')
export const methodName: Element = element('methodName')
export const params: Element = element('params')
export const param: Element = element('param')
export const value: Element = element('value')
export const array: Element = element('array')
export const data: Element = element('data')
export const struct: Element = element('struct')
export const member: Element = element('member')
export const name: Element = element('name')
