import type { Call } from '../call/call.js'
import type { Limits } from '../call/limits.js'
import { refusedWhenRead } from '../call/unreadable.js'
import { RpcInvalidRequest } from '../error.js'
import { type Cursor, cursorOver, inCall, inParams, passes } from './cursor.js'
import { checkDocument, checkEnd, skipProlog } from './document.js'
import { describeElement } from './elements.js'
import { invalid, missing, refusalError, repeated } from './invalid.js'
import { readValue } from './reader.js'
import { callStart, paramEnd, paramStart, paramsStart } from './shortcuts.js'
import { closeParent, nextChild, openChild, openOnlyChild, openTag, readLeaf, skipElement } from './tags.js'
import { readText, trimSpace } from './text.js'

/**
 * Reads a `<methodCall>` straight from its text. XML-RPC has parameters by position only and answers every call.
 *
 * Throws RpcParseError for malformed XML, RpcInvalidRequest for what is no call, and OutsideCore for what may be a call
 * and is not written in the plain elements of XML-RPC; `anyName` says that it has been rewritten in these. A parameter
 * whose text is not of its type (`<int>x</int>`) is no reason to throw yet: `params` throws RpcInvalidParams when it is
 * read, so that an unknown method and a caller without leave are told so first.
 */
export function readCall(text: string, limits: Limits, anyName = false): Call {
  const cursor = cursorOver(text, limits, anyName)
  try {
    return readDocument(cursor)
  } catch (error) {
    if (error instanceof RpcInvalidRequest) checkDocument(cursor)
    throw error
  }
}

/** What has been read of a call. */
interface Parts {
  method: string | undefined
  params: unknown[] | undefined
  /** Where the parameters begin when they come before the name of the method. */
  early: number | undefined
}

function readDocument(cursor: Cursor): Call {
  const parts: Parts = { method: undefined, params: undefined, early: undefined }
  const holds = readShortStart(cursor, parts) || openRoot(cursor)
  while (holds && nextChild(cursor, 'methodCall', inCall)) readPart(cursor, parts)
  checkEnd(cursor)
  return callOf(cursor, parts)
}

/** Up to the end of the parameters; false, and nothing is read, where the call begins in another way. */
function readShortStart(cursor: Cursor, parts: Parts): boolean {
  if (passes(cursor, callStart)) {
    const method = trimSpace(readText(cursor))
    if (method !== '' && passes(cursor, paramsStart)) {
      parts.method = method
      parts.params = readParams(cursor, method)
      return true
    }
  }
  cursor.at = 0
  return false
}

/** Whether anything is in it. */
function openRoot(cursor: Cursor): boolean {
  skipProlog(cursor)
  const name = openTag(cursor)
  if (name !== 'methodCall') throw invalid(cursor, inCall, `expected <methodCall>, found ${describeElement(name)}`)
  return !cursor.empty
}

function readPart(cursor: Cursor, parts: Parts): void {
  const { at } = cursor
  const child = openChild(cursor, 'methodCall', inCall)
  const known = child === 'methodName' ? parts.method : (parts.params ?? parts.early)
  if (known !== undefined) throw repeated(cursor, inCall, 'methodCall', child)
  if (child === 'methodName') {
    parts.method = readMethodName(cursor)
  } else if (parts.method === undefined) {
    // What the parameters are depends on the method: these are read when it is known.
    parts.early = at
    cursor.at = at
    skipElement(cursor)
  } else {
    parts.params = readParams(cursor, parts.method)
  }
}

function readMethodName(cursor: Cursor): string {
  const method = trimSpace(readLeaf(cursor, 'methodName', inCall))
  if (method === '') throw invalid(cursor, inCall, '<methodName> is empty')
  return method
}

function callOf(cursor: Cursor, { method, params, early }: Parts): Call {
  if (method === undefined) throw missing(cursor, inCall, 'methodCall', 'methodName')
  const read = early === undefined ? (params ?? []) : readEarlyParams(cursor, early, method)
  const call = { method, params: read, wantsReply: true }
  return cursor.refusal ? refusedWhenRead(call, refusalError(cursor.refusal)) : call
}

function readEarlyParams(cursor: Cursor, at: number, method: string): unknown[] {
  cursor.at = at
  openTag(cursor)
  return readParams(cursor, method)
}

/** Reads what stands behind a `<params>`, up to its end. */
function readParams(cursor: Cursor, method: string): unknown[] {
  const params: unknown[] = []
  if (cursor.empty) return params
  cursor.multicall = method === 'system.multicall'
  for (;;) {
    cursor.path[0] = params.length
    if (!passes(cursor, paramStart)) {
      if (!nextChild(cursor, 'params', inParams)) return params
      openChild(cursor, 'params', inParams)
      openOnlyChild(cursor, 'param', 0)
    }
    params.push(readValue(cursor, 0))
    if (!passes(cursor, paramEnd)) closeParent(cursor, 'param', 0)
  }
}
