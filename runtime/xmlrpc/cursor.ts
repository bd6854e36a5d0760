import type { Limits } from '../call/limits.js'
import { formatPath, type PathSegment } from '../values/describe.js'
import { createLineIndex, type LineIndex } from '../values/position.js'

/** A document while it is read, once and from left to right. */
export interface Cursor {
  readonly text: string
  readonly limits: Limits
  /**
   * Whether attributes, and element names that XML-RPC does not have, are read, too; else they are outside of the
   * core.
   */
  readonly anyName: boolean
  /** The index of what is read next. */
  at: number
  /** Whether what was read last is a tag `<name/>`, and no closing tag comes. */
  empty: boolean
  /** Whether the elements of the parameters are the entries of a multicall. */
  multicall: boolean
  /** Indexes and member names from the parameters down to what is being read; what is deeper is of the past. A
   * member whose value stands before its name has none yet. */
  readonly path: (PathSegment | undefined)[]
  /** The first scalar whose text is not of its type. */
  refusal: Refusal | undefined
  /** What is told of places: of a multicall each bad entry has one. */
  readonly lines: LineIndex
}

/** A scalar whose text is not of its type. */
export interface Refusal {
  readonly path: (PathSegment | undefined)[]
  readonly expected: string
  readonly text: string
}

/** A cursor at the start of a document; a byte order mark is no part of it. */
export function cursorOver(text: string, limits: Limits, anyName: boolean): Cursor {
  return {
    text: text.startsWith('\ufeff') ? text.slice(1) : text,
    limits,
    anyName,
    at: 0,
    empty: false,
    multicall: false,
    path: [],
    refusal: undefined,
    lines: createLineIndex(),
  }
}

/** How deep an element is: its index in the path, and these two for what is around the parameters. */
export const inCall = -2
export const inParams = -1

/** The path of what is being read at a level: `params[0].lines[2].quantity`; `''` for the call itself. */
export function pathOf({ path }: Pick<Cursor, 'path'>, level: number): string {
  if (level === inCall) return ''
  return formatPath(
    'params',
    path.slice(0, level + 1).filter((part) => part !== undefined),
  )
}

/** Moves over what a sticky pattern matches here; nothing moves where it does not. */
export function passes(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at
  if (!pattern.test(cursor.text)) return false
  cursor.at = pattern.lastIndex
  cursor.empty = false
  return true
}
