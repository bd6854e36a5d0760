import { RpcInvalidRequest } from '../error.js'
import type { XmlNode } from './reader.js'

/** The error for a well-formed document that is not XML-RPC; `path` says where, `''` for the call itself. */
export function misplaced(path: string, reason: string): RpcInvalidRequest {
  return new RpcInvalidRequest(`Invalid Request: ${path === '' ? '' : `${path}: `}${reason}`)
}

/** The child elements; between them there may be white space and nothing else. */
export function elementsOf(node: XmlNode, path: string): XmlNode[] {
  const elements: XmlNode[] = []
  for (const child of node.children) {
    if (typeof child !== 'string') elements.push(child)
    else if (trimSpace(child) !== '') throw misplaced(path, `text in <${node.name}> beside or instead of an element`)
  }
  return elements
}

/** The text of an element that has no elements in it. */
export function textOf(node: XmlNode, path: string): string {
  let text = ''
  for (const child of node.children) {
    if (typeof child !== 'string') throw misplaced(path, `<${child.name}> in <${node.name}>`)
    text += child
  }
  return text
}

/** The child elements by name: each of `names` at most once, in any order, and no others. */
export function partsOf<Name extends string>(
  node: XmlNode,
  names: readonly Name[],
  path: string,
): { readonly [name in Name]?: XmlNode } {
  const parts: { [name in Name]?: XmlNode } = {}
  for (const element of elementsOf(node, path)) {
    const name = names.find((each) => each === element.name)
    if (name === undefined) throw misplaced(path, `<${element.name}> in <${node.name}>`)
    if (parts[name]) throw misplaced(path, `a second <${name}> in <${node.name}>`)
    parts[name] = element
  }
  return parts
}

/** A part that must be there. */
export function required(part: XmlNode | undefined, name: string, parent: string, path: string): XmlNode {
  if (!part) throw misplaced(path, `<${parent}> without <${name}>`)
  return part
}

/** A text without the white space of XML 1.0 section 2.3 around it; `trim` takes more. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
