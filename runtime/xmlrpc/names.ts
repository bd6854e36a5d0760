import { copyOf } from './retain.js'
import type { Source } from './source.js'

const lessThan = 0x3c
const longest = 32

/**
 * Names that came lately, by a hash: nearly every name of a member has come before, and as the key of an object it is
 * at once the string that the engine has for it. They are few and short, whoever sends them.
 */
const recent: string[] = Array(256).fill('')

/** Letters, digits and `_` up to a `<`; undefined, and nothing is read, where it is something else. */
export function readShortName(source: Source): string | undefined {
  const { text, at } = source
  let hash = 0
  let end = at
  let code = text.charCodeAt(end)
  while (isWordCharacter(code)) {
    hash = (hash * 31 + code) & 0xff
    code = text.charCodeAt(++end)
  }
  if (code !== lessThan || end - at > longest) return undefined
  source.at = end
  const known = recent[hash] as string
  if (known.length === end - at && text.startsWith(known, at)) return known
  const name = copyOf(text.slice(at, end))
  recent[hash] = name
  return name
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  )
}
