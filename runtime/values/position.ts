/** How far the lines of a text have been counted. Both numbers begin at 0. */
export interface LineIndex {
  /** The index up to which they are. */
  at: number
  line: number
  /** The index at which that line begins. */
  start: number
}

/** At the beginning of a text. */
export function createLineIndex(): LineIndex {
  return { at: 0, line: 0, start: 0 }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * `line 3, column 7`: where an index of a text is; both begin at 1. Who asks for several places of one text hands on the
 * count, and in their order: each is then counted from the one before, and all together take the time of one.
 */
export function lineColumn(text: string, at: number, count: LineIndex = createLineIndex()): string {
  for (; count.at < at; count.at++) {
    const code = text.charCodeAt(count.at)
    const ends = code === carriageReturn ? text.charCodeAt(count.at + 1) !== lineFeed : code === lineFeed
    if (!ends) continue
    count.line++
    count.start = count.at + 1
  }
  return `line ${count.line + 1}, column ${at - count.start + 1}`
}
