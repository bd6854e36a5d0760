import { MAX_DIGITS } from '../values/scalar-text.js'
import { type Scalar, scalars } from './scalars.js'

/**
 * The scalar elements of responses. Servers send more than the specification has, and clients accept it: doubles that are not finite,
 * the extensions of Apache's implementation (ws.apache.org/xmlrpc/types.html) with any prefix, and those that others send without one.
 */
const responseScalars = /* @__PURE__ */ makeScalars()

function makeScalars(): ReadonlyMap<string, Scalar> {
  const made = new Map([...scalars].map(([name, scalar]) => [localName(name), scalar]))
  for (const expected of ['double', 'float']) made.set(expected, { expected, read: readDouble })
  made.set('bigdecimal', { expected: 'bigdecimal', read: readBigDecimal })
  // A Java object in base64.
  return made.set('serializable', scalars.get('base64') as Scalar)
}

/** Returns the scalar of an element; undefined for any other element. */
export function responseScalar(name: string): Scalar | undefined {
  return responseScalars.get(localName(name))
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** As C, Java, Python and JavaScript print them. */
const notFinite = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i

function readDouble(text: string): unknown {
  const found = notFinite.exec(text)
  if (!found) return scalars.get('double')?.read(text)
  const [, sign, infinity] = found
  if (infinity === undefined) return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Every decimal of so many significant digits has a double that prints as the same decimal. */
const EXACT_DIGITS = 15

/** Returns a number for up to 15 significant digits, otherwise the text, since a double would not keep all of them. */
function readBigDecimal(text: string): unknown {
  if (text.length > MAX_DIGITS) return undefined
  const value = scalars.get('double')?.read(text)
  if (typeof value !== 'number') return undefined
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  const isKept = digits.length <= EXACT_DIGITS && (value !== 0 || digits === '')
  return isKept ? value : text
}
