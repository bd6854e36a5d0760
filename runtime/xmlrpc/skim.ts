import { RpcInvalidRequest } from '../error.js'
import { readText } from './content.js'
import type { Source } from './source.js'
import { closeTag, isClosing, openTag } from './tags.js'

/** Moves over an element, whatever is in it: that it is well-formed is all that counts. */
export function skim(source: Source): void {
  const name = openTag(source)
  if (!source.empty) skimContent(source, name)
}

/** The same behind its tag. */
export function skimContent(source: Source, name: string): void {
  const open = [name]
  const most = mostTags(source.limits.depth)
  while (open.length > 0) {
    readText(source)
    if (isClosing(source)) {
      closeTag(source, open.pop())
    } else {
      const child = openTag(source)
      if (!source.empty) open.push(child)
      if (open.length > most) throw new RpcInvalidRequest(`Invalid Request: elements nested deeper than ${most}`)
    }
  }
}

/** A nested value is `<value><array><data>` or `<value><struct><member>`; ten are the call around them and a scalar. */
export function mostTags(depth: number): number {
  return 3 * depth + 10
}
