/** The lines of a text that were counted so far. All numbers begin at 0. */
export interface LineIndex {
  /** The index up to which lines are counted. */
  at: number
  line: number
  /** The index at which the line begins. */
  start: number
}

/** Returns an index with no lines counted. */
export function createLineIndex(): LineIndex {
  return { at: 0, line: 0, start: 0 }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Returns the position of an index in a text: `line 3, column 7`, both beginning at 1. To look up several positions in linear
 * time, pass the same line index, in ascending order of `at`.
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
