import { XMLParser } from 'fast-xml-parser'
import type { Element } from './saxes.js'

const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  htmlEntities: true,
  jPath: false,
  cdataPropName: '#cdata',
})

/** How it gives an element: its name is the one key. */
type Parsed = Readonly<Record<string, readonly Parsed[] | string>>

/** It reads a quote in an instruction as one around an attribute, and expects the closing one. */
export function isWithinFastXmlParser(text: string): boolean {
  const instructions = text.match(/<\?.*?\?>/gs) ?? []
  return !instructions.some((each) => /["']/.test(each.replace(/"[^"]*"|'[^']*'/g, '')))
}

/**
 * Reads a well-formed document with unmodified fast-xml-parser: no validator before it, and only the line ends normalised
 * (XML 1.0 section 2.11), which it does not do.
 */
export function parseWithFastXmlParser(text: string): Element {
  const nodes: Parsed[] = parser.parse(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))
  const root = convertAll(nodes).find((node) => typeof node !== 'string')
  if (!root) throw new Error('no element')
  return root
}

/** Instructions are nodes, too. */
function convertAll(nodes: readonly Parsed[]): (Element | string)[] {
  return nodes.filter((node) => !Object.keys(node)[0]?.startsWith('?')).map(convert)
}

function convert(node: Parsed): Element | string {
  const [[name, content] = ['', '']] = Object.entries(node)
  if (typeof content === 'string') return content
  const children = convertAll(content)
  return name === '#cdata' ? children.join('') : { name, children }
}
