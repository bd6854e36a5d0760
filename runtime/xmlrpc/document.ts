import type { Cursor } from './cursor.js'
import { malformed } from './malformed.js'
import { declaration, match } from './markup.js'
import { closeTag, isClosing, openTag, skipElement } from './tags.js'
import { skipOutsideRoot } from './text.js'

// What is around the root element of a document.

/** What is no call, or no response, may be malformed further on, and that is told first. */
export function checkDocument(cursor: Cursor): void {
  cursor.at = 0
  skipProlog(cursor)
  skipElement(cursor)
  checkEnd(cursor)
}

/** The declaration, and what may stand before the root element. */
export function skipProlog(cursor: Cursor): void {
  const { text } = cursor
  cursor.at = match(declaration, text, 0)?.[0].length ?? 0
  skipOutsideRoot(cursor)
  if (cursor.at === text.length) throw malformed(text, cursor.at, 'expected an element, found the end')
  if (isClosing(cursor)) closeTag(cursor, undefined)
}

/** Behind the root element there is no other, and no text. */
export function checkEnd(cursor: Cursor): void {
  skipOutsideRoot(cursor)
  const { text, at } = cursor
  if (at === text.length) return
  if (isClosing(cursor)) closeTag(cursor, undefined)
  openTag(cursor)
  throw malformed(text, at, 'a second root element')
}
