// Whether two sets of characters of a regular expression, such as `\w` and `[a-z]`, share a character.

/** True if two sets have a character in common. */
export type Overlap = (one: string, other: string) => boolean

/** Returns a function that tells whether two sets share a character: one of the pattern, one beside it, or a Latin one. */
export function overlapIn(source: string, flags = 'u'): Overlap {
  const escapes = [...source.matchAll(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/gi)]
  const named = [...[...source].map((each) => each.codePointAt(0) as number), ...escapes.map(codePoint)]
  const latin = Array.from({ length: 0x250 }, (_, code) => code)
  const further = [0x2028, 0x3000, 0xd800, 0xe000, 0xfeff, 0xffff, MAX_CODE]
  const codes = new Set([...named.flatMap((code) => [code - 1, code, code + 1]), ...latin, ...further])
  const near = textFromCodes([...codes].filter((code) => code >= 0 && code <= MAX_CODE).sort((a, b) => b - a))
  const known = new Map<string, boolean>()
  let every: string | undefined
  const all = () => {
    every ??= allCharacters()
    return every
  }
  const compare = (one: string, other: string): boolean => {
    const both = new RegExp(`(?=${one})${other}`, flags)
    // A script or a category may have none of these.
    return both.test(near) || (/\\p\{/i.test(one + other) && both.test(all()))
  }
  return (one, other) => {
    if (one === other) return true
    const key = one < other ? `${one}\n${other}` : `${other}\n${one}`
    const isShared = known.get(key) ?? compare(one, other)
    known.set(key, isShared)
    return isShared
  }
}

const MAX_CODE = 0x10ffff
const BLOCK = 1024

function allCharacters(): string {
  const ends = Array.from({ length: (MAX_CODE + 1) / BLOCK }, (_, i) => MAX_CODE - i * BLOCK)
  return ends.map((end) => textFromCodes(Array.from({ length: BLOCK }, (_, i) => end - i))).join('')
}

/** The codes are in descending order, so that no two surrogates are a pair. */
function textFromCodes(codes: readonly number[]): string {
  return String.fromCodePoint(...codes)
}

function codePoint([, braced, four, two]: RegExpExecArray | RegExpMatchArray): number {
  return Number.parseInt(braced ?? four ?? two ?? '0', 16)
}
