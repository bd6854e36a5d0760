import { UnreadableParam } from '../call/unreadable.js'
import { RpcInvalidRequest } from '../error.js'
import { boundMessage, describeReceived } from '../values/describe.js'
import { lineColumn } from '../values/position.js'
import { type Cursor, pathOf, type Refusal } from './cursor.js'
import { describeElement } from './elements.js'

// What a document may be that is well-formed and yet no call: not XML-RPC, a scalar with a wrong text, outside of the
// core. Levels are those of `pathOf`.

/** The error for a document that is not XML-RPC; `reason` shows nothing that may be part of a value. */
export function invalid(cursor: Cursor, level: number, reason: string): RpcInvalidRequest {
  const path = pathOf(cursor, level)
  const place = `${placeIn(cursor)}${path === '' ? '' : `${path}: `}`
  return new RpcInvalidRequest(boundMessage(`Invalid Request: ${place}`, reason))
}

/** Where the last tag begins, or the text that is read; nowhere in a document that was written anew. */
function placeIn({ text, at, anyName, lines }: Cursor): string {
  if (anyName) return ''
  return `${lineColumn(text, text[at - 1] === '>' ? text.lastIndexOf('<', at - 1) : at, lines)}: `
}

/** An element where it is not expected. */
export function unexpected(cursor: Cursor, level: number, parent: string, name: string): Error {
  return invalid(cursor, level, `${describeElement(name)} in <${parent}>`)
}

/** An element that is there already. */
export function repeated(cursor: Cursor, level: number, parent: string, child: string): Error {
  return invalid(cursor, level, `a second <${child}> in <${parent}>`)
}

/** An element that is not there. */
export function missing(cursor: Cursor, level: number, parent: string, child: string): Error {
  return invalid(cursor, level, `<${parent}> without <${child}>`)
}

/** Keeps the first scalar whose text is not of its type; the document is read on, since more may be wrong with it. */
export function refuse(cursor: Cursor, level: number, expected: string, text: string): undefined {
  cursor.refusal ??= {
    path: cursor.path.slice(0, level + 1),
    expected,
    text,
  }
}

/** The error for a scalar whose text is not of its type. */
export function refusalError({ path, expected, text }: Refusal): UnreadableParam {
  return new UnreadableParam(
    path.filter((part) => part !== undefined),
    expected,
    (details) => describeReceived(text, details),
  )
}

/** The core reader leaves a document to the fallback. */
export class OutsideCore extends Error {
  override readonly name = 'OutsideCore'
  readonly text: string
  readonly at: number

  /** `what` stands at the index `at`. */
  constructor(text: string, at: number, what: string) {
    super(what)
    this.text = text
    this.at = at
  }
}
