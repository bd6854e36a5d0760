import type { Call } from '../call.js'
import type { Limits } from '../limits.js'
import { readCall } from './message.js'
import { readXml, type XmlNode } from './reader.js'
import { mostTags } from './skim.js'
import { escapeText } from './text.js'

/**
 * Reads a call that the core reader leaves alone: as a tree, which is written anew in the plain elements of XML-RPC, so
 * that one reader alone says what a call means.
 */
export function readOddCall(text: string, limits: Limits): Call {
  return readCall(writePlain(readXml(text, mostTags(limits.depth))), limits, true)
}

function writePlain({ name, children }: XmlNode): string {
  const content = children.map((child) => (typeof child === 'string' ? escapeText(child) : writePlain(child)))
  return `<${name}>${content.join('')}</${name}>`
}
