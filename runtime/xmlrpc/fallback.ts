import { XMLParser } from 'fast-xml-parser'
import type { CompleteLimits } from '../call/limits.js'
import { RpcInvalidRequest } from '../error.js'
import { readCall, type XmlCall } from './decode.js'
import { cursorOver } from './elements.js'
import { checkWellFormed } from './parse.js'

/** The namespace of the extensions by Apache's implementation (ws.apache.org/xmlrpc/extensions.html). */
const extensions = 'http://ws.apache.org/xmlrpc/namespaces/extensions'

const textName = '#text'
const cdataName = '#cdata'
const attributesName = ':@'

/** Text is unchanged, references included. */
const parserOptions = {
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  jPath: false,
  textNodeName: textName,
  cdataPropName: cdataName,
}

/** An element of the parser with `preserveOrder`: its name is the only key beside its attributes. */
type Node = Readonly<Record<string, unknown>>

type Prefixes = ReadonlyMap<string, string>

/**
 * Decodes a call whose root element binds the namespace of Apache's extensions to a prefix other than `ex:`: fast-xml-parser reads
 * the document, which is written again with `ex:` and without attributes.
 *
 * @throws the errors of `readCall`; the positions in an RpcInvalidRequest are those of the document that was written
 */
export function readCallWithNamespaces(text: string, limits: CompleteLimits): XmlCall {
  const cursor = cursorOver(text, limits)
  checkWellFormed(cursor)
  return readCall(
    parse(cursor.text, cursor.maxNesting)
      .map((node) => write(node, new Map()))
      .join(''),
    limits,
  )
}

/** The parser takes a quote in an instruction for the start of a string, so comments and instructions are removed first. */
function parse(text: string, maxNestedTags: number): Node[] {
  const lines = text.replace(/\r\n?/g, '\n')
  const kept = lines.replace(/<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, (markup) =>
    markup.startsWith('<![') ? markup : '',
  )
  try {
    return new XMLParser({ ...parserOptions, maxNestedTags }).parse(kept)
  } catch {
    // The document is well-formed: the parser rejects names such as `<constructor>`. Its message quotes them.
    throw new RpcInvalidRequest('Invalid Request: not the elements of XML-RPC')
  }
}

function write(node: Node, outer: Prefixes): string {
  if (textName in node) return node[textName] as string
  const name = Object.keys(node).find((key) => key !== attributesName) ?? ''
  const children = node[name] as Node[]
  if (name === cdataName) return `<![CDATA[${children.map((child) => child[textName]).join('')}]]>`
  const prefixes = prefixesIn(node[attributesName] as Readonly<Record<string, string>> | undefined, outer)
  const [prefix = '', local] = name.split(':')
  const plain = local !== undefined && prefixes.get(prefix) === extensions ? `ex:${local}` : name
  return `<${plain}>${children.map((child) => write(child, prefixes)).join('')}</${plain}>`
}

/** The prefixes that are bound inside of an element (Namespaces in XML 1.0 section 6). */
function prefixesIn(attributes: Readonly<Record<string, string>> = {}, outer: Prefixes): Prefixes {
  const bound = Object.entries(attributes).filter(([name]) => name.startsWith('xmlns:'))
  return bound.length === 0 ? outer : new Map([...outer, ...bound.map(([name, uri]) => [name.slice(6), uri] as const)])
}
