import { readText } from './content.js'
import { refuse } from './refusal.js'
import { scalars } from './scalars.js'
import { pathOf, type Source } from './source.js'
import { misplaced, trimSpace } from './structure.js'
import { closeTag, isClosing, openTag } from './tags.js'

/** Reads the text of an element that has no elements in it, up to its end. */
export function readLeaf(source: Source, name: string, level: number): string {
  if (source.empty) return ''
  const text = readText(source)
  if (!isClosing(source)) throw misplaced(pathOf(source, level), `<${openTag(source)}> in <${name}>`)
  closeTag(source, name)
  return text
}

/** Reads a scalar by its type, up to the end of its element; undefined when its text is refused. */
export function readScalar(source: Source, type: string, level: number): unknown {
  const scalar = scalars.get(type)
  if (!scalar) throw misplaced(pathOf(source, level), `<${type}> is no type of XML-RPC`)
  const text = trimSpace(readLeaf(source, type, level))
  const value = scalar.read(text)
  return value === undefined ? refuse(source, level, scalar.expected, text) : value
}
