import type { Limits } from '../call/limits.js'
import { RpcInvalidRequest } from '../error.js'
import { type Cursor, cursorOver, inCall, inParams } from './cursor.js'
import { checkDocument, checkEnd, skipProlog } from './document.js'
import { describeElement } from './elements.js'
import { invalid, missing, refusalError } from './invalid.js'
import { readValue } from './reader.js'
import { closeParent, nextChild, openChild, openOnlyChild, openTag } from './tags.js'

/** What a server answers: a value, or the value of a fault. */
export interface XmlResponse {
  readonly value: unknown
  readonly isFault: boolean
}

/**
 * Reads a `<methodResponse>` straight from its text; an answer without a value is null. Attributes are passed over: a
 * client has no reason to be strict about a namespace.
 *
 * Throws RpcParseError for malformed XML, RpcInvalidRequest for what is no response, UnreadableParam for a scalar whose
 * text is not of its type.
 */
export function readResponse(text: string, limits: Limits): XmlResponse {
  const cursor = cursorOver(text, limits, true)
  try {
    const response = readDocument(cursor)
    if (cursor.refusal) throw refusalError(cursor.refusal)
    return response
  } catch (error) {
    if (error instanceof RpcInvalidRequest) checkDocument(cursor)
    throw error
  }
}

function readDocument(cursor: Cursor): XmlResponse {
  skipProlog(cursor)
  const name = openTag(cursor)
  if (name !== 'methodResponse')
    throw invalid(cursor, inCall, `expected <methodResponse>, found ${describeElement(name)}`)
  if (cursor.empty || !nextChild(cursor, name, inCall)) throw missing(cursor, inCall, name, 'params')
  const isFault = openChild(cursor, name, inCall) === 'fault'
  const value = isFault ? readFault(cursor) : readParams(cursor)
  if (nextChild(cursor, name, inCall)) throw invalid(cursor, inCall, `<${name}> with more than one element`)
  checkEnd(cursor)
  return { value, isFault }
}

function readFault(cursor: Cursor): unknown {
  openOnlyChild(cursor, 'fault', inParams)
  const value = readValue(cursor, 0)
  closeParent(cursor, 'fault', inParams)
  return value
}

/** Servers whose procedures return nothing leave the value out, or the parameter. */
function readParams(cursor: Cursor): unknown {
  if (cursor.empty || !nextChild(cursor, 'params', inParams)) return null
  openChild(cursor, 'params', inParams)
  cursor.path[0] = 0
  openOnlyChild(cursor, 'param', 0)
  const value = readValue(cursor, 0)
  closeParent(cursor, 'param', 0)
  if (nextChild(cursor, 'params', inParams)) throw invalid(cursor, inParams, '<params> with more than one <param>')
  return value
}
