import type { Call } from '../call.js'
import { type RpcInvalidParams, RpcInvalidRequest } from '../error.js'
import type { Limits } from '../limits.js'
import { readText, skipOutside } from './content.js'
import * as elements from './elements.js'
import { declaration, match } from './grammar.js'
import { readLeaf } from './leaves.js'
import { malformed } from './malformed.js'
import { readParams } from './params.js'
import { refusalError } from './refusal.js'
import { skim } from './skim.js'
import { inCall, type Source } from './source.js'
import { misplaced, trimSpace } from './structure.js'
import { closeTag, isClosing, missing, nextChild, openEither, openTag, repeated } from './tags.js'
import { callStart, paramsStart, passes } from './usual.js'

/**
 * Reads a `<methodCall>` straight from its text. XML-RPC has parameters by position only and answers every call.
 *
 * Throws RpcParseError for malformed XML, RpcInvalidRequest for what is no call, and OutsideCore for what may be a call
 * and is not written in the plain elements of XML-RPC; `anyName` says that it has been rewritten in these. A parameter
 * whose text is not of its type (`<int>x</int>`) is no reason to throw yet: `params` throws RpcInvalidParams when it is
 * read, so that an unknown method and a caller without leave are told so first.
 */
export function readCall(text: string, limits: Limits, anyName = false): Call {
  const source = open(text.startsWith('\ufeff') ? text.slice(1) : text, limits, anyName)
  try {
    return readMethodCall(source)
  } catch (error) {
    if (error instanceof RpcInvalidRequest) checkDocument(source)
    throw error
  }
}

function open(text: string, limits: Limits, anyName: boolean): Source {
  return { text, limits, anyName, at: 0, empty: false, multicall: false, path: [], refusal: undefined }
}

/** What is no call may be malformed further on, and that is told first. */
function checkDocument(source: Source): void {
  source.at = 0
  skipProlog(source)
  skim(source)
  checkEnd(source)
}

function skipProlog(source: Source): void {
  const { text } = source
  source.at = match(declaration, text, 0)?.[0].length ?? 0
  skipOutside(source)
  if (source.at === text.length) throw malformed(text, source.at, 'expected an element, found the end')
  if (isClosing(source)) closeTag(source, undefined)
}

/** Behind the root element there is no other, and no text. */
function checkEnd(source: Source): void {
  skipOutside(source)
  const { text, at } = source
  if (at === text.length) return
  if (isClosing(source)) closeTag(source, undefined)
  throw malformed(text, at, `a second root element <${openTag(source)}>`)
}

function readMethodCall(source: Source): Call {
  const { methodCall, methodName, params } = elements
  let method = readUsualStart(source)
  let read = method === undefined ? undefined : readParams(source, method)
  let skipped: number | undefined
  const empty = method === undefined && openRoot(source)
  while (!empty && nextChild(source, methodCall, inCall)) {
    const { at } = source
    if (openEither(source, methodName, params, methodCall, inCall) === methodName) {
      if (method !== undefined) throw repeated(source, inCall, methodCall, methodName)
      method = readMethodName(source)
    } else {
      if (read || skipped !== undefined) throw repeated(source, inCall, methodCall, params)
      if (method === undefined) skipped = skimParams(source, at)
      else read = readParams(source, method)
    }
  }
  checkEnd(source)
  if (method === undefined) throw missing(source, inCall, methodCall, methodName)
  if (skipped !== undefined) read = readSkipped(source, skipped, method)
  if (source.refusal) return refusedCall(method, refusalError(source.refusal))
  return { method, params: read ?? [], wantsReply: true }
}

/** Up to the parameters; answers the method. Undefined, and nothing is read, where it is written in another way. */
function readUsualStart(source: Source): string | undefined {
  const { at } = source
  if (passes(source, callStart)) {
    const method = trimSpace(readText(source))
    if (method !== '' && passes(source, paramsStart)) return method
  }
  source.at = at
  return undefined
}

/** Whether nothing is in it. */
function openRoot(source: Source): boolean {
  skipProlog(source)
  const name = openTag(source)
  if (name !== 'methodCall') throw misplaced('', `expected <methodCall>, found <${name}>`)
  return source.empty
}

function readMethodName(source: Source): string {
  const method = trimSpace(readLeaf(source, 'methodName', inCall))
  if (method === '') throw misplaced('', '<methodName> is empty')
  return method
}

/** What the parameters are depends on the method: those that come before it are read when it is known. */
function skimParams(source: Source, at: number): number {
  source.at = at
  skim(source)
  return at
}

function readSkipped(source: Source, at: number, method: string): unknown[] {
  source.at = at
  openTag(source)
  return readParams(source, method)
}

function refusedCall(method: string, error: RpcInvalidParams): Call {
  return {
    method,
    get params(): never {
      throw error
    },
    wantsReply: true,
  }
}
