import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Call } from '../call/call.js'
import type { Limits } from '../call/limits.js'
import { RpcInvalidRequest, RpcParseError } from '../error.js'
import { decodeReferences, escapeText } from './characters.js'
import { readCall } from './message.js'
import { prefilter } from './prefilter.js'
import { mostTags } from './tags.js'

/**
 * Reads a call that is outside of the core: as a tree, by fast-xml-parser, which is written anew in the plain elements of
 * XML-RPC, so that one reader alone says what a call means. A chunk of its own, which few servers ever load.
 */
export function readCallOutsideCore(text: string, limits: Limits): Call {
  return readCall(writePlain(readXml(text, mostTags(limits.depth))), limits, true)
}

function writePlain({ name, children }: XmlNode): string {
  const content = children.map((child) => (typeof child === 'string' ? escapeText(child) : writePlain(child)))
  return `<${name}>${content.join('')}</${name}>`
}

/** An element: its children are elements and pieces of text, in order. Attributes are not kept. */
export interface XmlNode {
  readonly name: string
  readonly children: readonly (XmlNode | string)[]
}

/** How the parser gives an element with `preserveOrder`: its name is the one key. */
type Parsed = Readonly<Record<string, unknown>>

const textName = '#text'
const cdataName = '#cdata'

/** No entity is left to the parser, which has a list of its own and a length beyond which it gives up. */
const parserOptions = {
  preserveOrder: true,
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  ignoreAttributes: true,
  jPath: false,
  textNodeName: textName,
  cdataPropName: cdataName,
}

/**
 * Reads a document and answers its root element. Line ends become LF (XML 1.0 section 2.11), the five entities and
 * numeric references are decoded, and nothing else is: white space stays.
 *
 * Throws RpcParseError for malformed XML, RpcInsecureRequest for a DOCTYPE, RpcInvalidRequest for elements nested
 * deeper than `maxNestedTags`.
 */
export function readXml(text: string, maxNestedTags: number): XmlNode {
  const kept = prefilter(text.startsWith('\ufeff') ? text.slice(1) : text, maxNestedTags)
  const root = parse(kept, maxNestedTags).find((node) => nameOf(node) !== textName)
  if (!root) throw new RpcParseError('Parse error: expected an element')
  return convert(root)
}

/**
 * What the validator or the parser still refuses is well-formed: names with characters beyond U+FFFF, or that every
 * object inherits, `<constructor>` for instance.
 */
function parse(text: string, maxNestedTags: number): Parsed[] {
  try {
    const valid = XMLValidator.validate(text)
    if (valid !== true) throw new Error(valid.err.msg)
    return new XMLParser({ ...parserOptions, maxNestedTags }).parse(text)
  } catch {
    // Without its cause, whose message quotes the names.
    throw new RpcInvalidRequest('Invalid Request: not the elements of XML-RPC')
  }
}

function nameOf(node: Parsed): string {
  for (const key in node) if (key !== ':@') return key
  return ''
}

function convert(node: Parsed): XmlNode {
  const name = nameOf(node)
  return { name, children: (node[name] as Parsed[]).map(convertChild) }
}

function convertChild(node: Parsed): XmlNode | string {
  if (textName in node) return decodeReferences(node[textName] as string)
  if (cdataName in node) return (node[cdataName] as Parsed[]).map((part) => part[textName]).join('')
  return convert(node)
}
