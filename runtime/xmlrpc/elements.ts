// The elements of XML-RPC (xmlrpc.com/spec), and the errors for a document that is well-formed and has others.
import type { CompleteLimits } from '../call/limits.js'
import type { InvalidEntry, InvalidValue } from '../call/types.js'
import { RpcInvalidRequest } from '../error.js'
import { formatPath, quoteValue, truncateMessage } from '../values/describe.js'
import type { PathSegment } from '../values/issue.js'
import { createLineIndex, type LineIndex, lineColumn } from '../values/position.js'
import { type Cursor, closeTag, describeElement, isClosing, openTag, readText, skipToTag, stripMark } from './parse.js'
import { describeMalformed, type ScalarElement, scalarElements } from './scalars.js'

/** The child elements that each element may have; a value has one of many types. */
const children = {
  methodCall: ['methodName', 'params'],
  methodResponse: ['params', 'fault'],
  fault: ['value'],
  params: ['param'],
  param: ['value'],
  array: ['data'],
  data: ['value'],
  struct: ['member'],
  member: ['name', 'value'],
} as const

type Parent = keyof typeof children
type Child<P extends Parent> = (typeof children)[P][number]

const names: ReadonlySet<string> = new Set([
  ...Object.keys(children),
  ...Object.values(children).flat(),
  'string',
  ...scalarElements.keys(),
])

/** The limits of a document: those of a server, or what a client accepts. */
type XmlLimits = Pick<CompleteLimits, 'depth' | 'batch'>

/** A document of XML-RPC that is read. */
export interface RpcCursor extends Cursor {
  readonly limits: XmlLimits
  /** The entries of a multicall that cannot be read, by their index; undefined for any other call. */
  invalidEntries: Map<number, InvalidEntry['error']> | undefined
  /**
   * Path of the value being read, one entry per nesting level (array index or member name). Entries below the current level
   * are stale. `undefined` while `<value>` precedes `<name>`.
   */
  readonly path: (PathSegment | undefined)[]
  firstInvalidScalar: InvalidScalar | undefined
  /** Of a response: the scalar elements, and what replaces an invalid value. Undefined for a call. */
  readonly leniency: Leniency | undefined
  isFault: boolean
  /** Line-counting state, shared so that reporting many positions in one document stays linear. */
  readonly lines: LineIndex
}

/** A scalar whose text is not of its type: `<int>x</int>`. */
interface InvalidScalar {
  readonly path: (PathSegment | undefined)[]
  readonly element: string
  readonly scalar: ScalarElement
  readonly text: string
}

/** How the values of a response are read. */
export interface Leniency {
  /** Returns the scalar of an element; undefined for any other element. */
  scalarOf(name: string): ScalarElement | undefined
  /** Returns the value for a text that is not of its type, or of an unknown element; undefined if the response is invalid. */
  replace(text: string, name: PathSegment | undefined, isFault: boolean): unknown
}

/** Returns a cursor at the start of a document. */
export function cursorOver(text: string, limits: XmlLimits, leniency?: Leniency): RpcCursor {
  return {
    text: stripMark(text),
    names,
    // A nested value is `<value><array><data>` or `<value><struct><member>`; ten are the call and a scalar.
    maxNesting: 3 * limits.depth + 10,
    at: 0,
    empty: false,
    limits,
    invalidEntries: undefined,
    path: [],
    firstInvalidScalar: undefined,
    leniency,
    isFault: false,
    lines: createLineIndex(),
  }
}

/** Levels of the elements around the parameters. That of any other element is its index in the path. */
export const callLevel = -2
export const paramsLevel = -1

/** Returns `params[0].lines[2].quantity`, or `''` for the call itself. */
function pathOf({ path }: RpcCursor, level: number): string {
  if (level === callLevel) return ''
  const segments = path.slice(0, level + 1).filter((segment) => segment !== undefined)
  return formatPath(segments)
}

/** Returns the error for a document that is not XML-RPC. `reason` must not quote what may be part of a value. */
export function invalid(cursor: RpcCursor, level: number, reason: string): RpcInvalidRequest {
  const { text, at, lines } = cursor
  const tag = text[at - 1] === '>' ? text.lastIndexOf('<', at - 1) : at
  const path = pathOf(cursor, level)
  const place = `${lineColumn(text, tag, lines)}: ${path === '' ? '' : `${path}: `}`
  return new RpcInvalidRequest(truncateMessage(`Invalid Request: ${place}`, reason))
}

function unexpected(cursor: RpcCursor, level: number, parent: string, name: string): Error {
  return invalid(cursor, level, `${describeElement(names, name)} in <${parent}>`)
}

export function repeated(cursor: RpcCursor, level: number, parent: string, child: string): Error {
  return invalid(cursor, level, `a second <${child}> in <${parent}>`)
}

export function missing(cursor: RpcCursor, level: number, parent: string, child: string): Error {
  return invalid(cursor, level, `<${parent}> without <${child}>`)
}

/** Returns the error for an element where `expected` describes the only possible ones. */
export function mismatch(cursor: RpcCursor, level: number, expected: string, name: string): Error {
  return invalid(cursor, level, `expected ${expected}, found ${describeElement(names, name)}`)
}

/** Returns a scalar whose text is not of its type, for the error of the call. */
export function invalidValueOf({ path, element, scalar, text }: InvalidScalar): InvalidValue {
  return {
    path: path.filter((segment) => segment !== undefined),
    kind: scalar.kind,
    expected: scalar.expected,
    received: (details) => {
      const reason = describeMalformed(element, text)
      return details === 'values' ? `${reason} ${quoteValue(text)}` : reason
    },
  }
}

/** A call with a prefix for Apache's extensions that is not `ex:`: `readCall` does not resolve namespaces. */
export class UnsupportedMarkup extends Error {
  override readonly name = 'UnsupportedMarkup'
}

const otherPrefix =
  /\sxmlns:(?!ex[\s=])[\w.-]+\s*=\s*(?:"|')http:\/\/ws\.apache\.org\/xmlrpc\/namespaces\/extensions(?:"|')/

/** The fallback takes forty times as long. In a longer document the prefix is unknown. */
const MAX_FALLBACK_LENGTH = 64 * 1024

/** Throws UnsupportedMarkup if the root element, whose tag has been read, declares such a prefix. */
export function checkPrefix({ text, at }: RpcCursor): void {
  if (text.length <= MAX_FALLBACK_LENGTH && otherPrefix.test(text.slice(0, at))) throw new UnsupportedMarkup()
}

/** Reads the tag of a child. */
export function openChild<P extends Parent>(cursor: RpcCursor, parent: P, level: number): Child<P> {
  const name = openTag(cursor)
  if (!(children[parent] as readonly string[]).includes(name)) throw unexpected(cursor, level, parent, name)
  return name as Child<P>
}

/**
 * Moves to the next child of an element. Returns false after the last one, when the closing tag has been read. White space,
 * comments and instructions may precede it.
 */
export function nextChild(cursor: RpcCursor, parent: Parent | 'value', level: number): boolean {
  if (!skipToTag(cursor)) throw invalid(cursor, level, `text in <${parent}> beside or instead of an element`)
  if (!isClosing(cursor)) return true
  closeTag(cursor, parent)
  return false
}

/** Reads the tag of the one child that an element must have. */
export function openOnlyChild(cursor: RpcCursor, parent: 'param' | 'array' | 'fault', level: number): void {
  if (cursor.empty || !nextChild(cursor, parent, level)) throw missing(cursor, level, parent, children[parent][0])
  openChild(cursor, parent, level)
}

/** Reads the closing tag of an element that has all its children. */
export function closeParent(cursor: RpcCursor, parent: 'param' | 'array' | 'member' | 'fault', level: number): void {
  if (nextChild(cursor, parent, level)) throw repeated(cursor, level, parent, openChild(cursor, parent, level))
}

/** Reads the text and the closing tag of an element that has no child elements. */
export function readLeaf(cursor: RpcCursor, name: string, level: number): string {
  if (cursor.empty) return ''
  const text = readText(cursor)
  if (!isClosing(cursor)) throw unexpected(cursor, level, name, openTag(cursor))
  closeTag(cursor, name)
  return text
}
