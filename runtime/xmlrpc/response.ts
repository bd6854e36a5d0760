import { RpcInvalidParams } from '../error.js'
import { describeIssue, formatPath, truncateMessage } from '../values/describe.js'
import { MAX_DIGITS } from '../values/scalar-text.js'
import { firstError, openRoot, readValue } from './decode.js'
import {
  callLevel,
  closeParent,
  cursorOver,
  invalid,
  invalidValueOf,
  type Leniency,
  missing,
  nextChild,
  openChild,
  openOnlyChild,
  paramsLevel,
  type RpcCursor,
} from './elements.js'
import { checkEnd } from './parse.js'
import { type ScalarElement, scalarElements } from './scalars.js'

/** What a response contains: a value, or the value of a fault. */
export interface XmlResponse {
  readonly value: unknown
  readonly isFault: boolean
}

/** The defaults of a server. */
const limits = { depth: 256, batch: 1000 }

/**
 * Decodes a `<methodResponse>`. `replace` returns the values for those that cannot be read; a response without a value is null.
 *
 * @throws RpcParseError for XML that is not well-formed
 * @throws RpcInvalidRequest for XML that is not a response
 * @throws RpcInvalidParams for a scalar whose text is not of its type
 */
export function readResponse(text: string, replace: Leniency['replace']): XmlResponse {
  const cursor = cursorOver(text, limits, { scalarOf: responseScalar, replace })
  try {
    return readMethodResponse(cursor)
  } catch (error) {
    throw firstError(cursor, error)
  }
}

function readMethodResponse(cursor: RpcCursor): XmlResponse {
  const name = 'methodResponse'
  if (!openRoot(cursor, name) || !nextChild(cursor, name, callLevel)) throw missing(cursor, callLevel, name, 'params')
  const isFault = openChild(cursor, name, callLevel) === 'fault'
  cursor.isFault = isFault
  const value = isFault ? readFault(cursor) : readResult(cursor)
  if (nextChild(cursor, name, callLevel)) throw invalid(cursor, callLevel, `<${name}> with more than one element`)
  checkEnd(cursor)
  if (cursor.firstInvalidScalar) {
    const { path, expected, received } = invalidValueOf(cursor.firstInvalidScalar)
    throw new RpcInvalidParams(
      truncateMessage(describeIssue({ expected, received: received('types') }, formatPath(path))),
    )
  }
  return { value, isFault }
}

function readFault(cursor: RpcCursor): unknown {
  openOnlyChild(cursor, 'fault', paramsLevel)
  const value = readValue(cursor, 0)
  closeParent(cursor, 'fault', paramsLevel)
  return value
}

/** Servers omit the value, or the parameter, if a procedure returns nothing. */
function readResult(cursor: RpcCursor): unknown {
  if (cursor.empty || !nextChild(cursor, 'params', paramsLevel)) return null
  openChild(cursor, 'params', paramsLevel)
  cursor.path[0] = 0
  openOnlyChild(cursor, 'param', 0)
  const value = readValue(cursor, 0)
  closeParent(cursor, 'param', 0)
  if (nextChild(cursor, 'params', paramsLevel)) {
    throw invalid(cursor, paramsLevel, '<params> with more than one <param>')
  }
  return value
}

// Scalars

/**
 * The scalar elements of responses. Servers send more than the specification has, and clients accept it: doubles that are not finite,
 * the extensions of Apache's implementation (ws.apache.org/xmlrpc/types.html) with any prefix, and those that others send without one.
 */
const responseScalars = /* @__PURE__ */ makeScalars()

function makeScalars(): ReadonlyMap<string, ScalarElement> {
  const made = new Map([...scalarElements].map(([name, scalar]) => [localName(name), scalar]))
  for (const expected of ['double', 'float']) made.set(expected, { expected, kind: 'double', read: readAnyDouble })
  made.set('bigdecimal', { expected: 'bigdecimal', kind: 'number', read: readBigDecimal })
  // A Java object in base64.
  return made.set('serializable', scalarElements.get('base64') as ScalarElement)
}

/** Returns the scalar of an element; undefined for any other element. */
function responseScalar(name: string): ScalarElement | undefined {
  return responseScalars.get(localName(name))
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** As C, Java, Python and JavaScript print them. */
const notFinite = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i

function readAnyDouble(text: string): unknown {
  const found = notFinite.exec(text)
  if (!found) return scalarElements.get('double')?.read(text)
  const [, sign, infinity] = found
  if (infinity === undefined) return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Every decimal of so many significant digits has a double that prints as the same decimal. */
const EXACT_DIGITS = 15

/** Returns a number for up to 15 significant digits, otherwise the text, since a double would not keep all of them. */
function readBigDecimal(text: string): unknown {
  if (text.length > MAX_DIGITS) return undefined
  const value = scalarElements.get('double')?.read(text)
  if (typeof value !== 'number') return undefined
  const [mantissa = ''] = text.split(/e/i)
  const digits = mantissa.replace(/\D/g, '').replace(/^0+/, '')
  const isKept = digits.length <= EXACT_DIGITS && (value !== 0 || digits === '')
  return isKept ? value : text
}
