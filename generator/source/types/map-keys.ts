import { ts } from 'ts-morph'
import type { Keys } from '../../../runtime/values/types.js'
import { quote } from '../../../templates/layout.js'
import { scalarTagOf } from '../constraints/type-tags.js'
import { unbranded } from './index-signature.js'
import { quotePattern, templatePattern, templateText } from './template.js'

/** The known keys of a Map: any text, or a list. */
export type MapKeys = 'any' | Keys

/** The texts of JavaScript numbers, and of 32-bit integers. */
const numberPattern = '^(?:0|-?(?:[1-9]\\d*(?:\\.\\d*[1-9])?|0\\.\\d*[1-9])(?:e[+-]\\d+)?)$'
const intPattern = '^(?:0|-?[1-9]\\d{0,9})$'

/** Returns the keys of a Map, which are members of an object on the wire; undefined if they are neither texts nor numbers. */
export function mapKeysOf(key: ts.Type, checker: ts.TypeChecker): MapKeys | undefined {
  const keys = (key.isUnion() ? key.types : [key]).map((each) => keysOf(each, checker))
  if (keys.includes('any')) return keys.every((each) => each && (each === 'any' || !each.numeric)) ? 'any' : undefined
  const known = keys.filter((each) => each !== undefined && each !== 'any')
  const [first] = known
  if (!first || known.length < keys.length || known.some(({ numeric }) => numeric !== first.numeric)) return undefined
  if (known.length === 1) return first
  const text = known.map((each) => each.text).join(' | ')
  return { ...first, text, pattern: known.map(({ pattern }) => pattern).join('|') }
}

function keysOf(type: ts.Type, checker: ts.TypeChecker): MapKeys | undefined {
  if (type.isStringLiteral()) return { text: quote(type.value), pattern: `^${quotePattern(type.value)}$` }
  if (type.isNumberLiteral()) {
    const text = `${type.value}`
    return { text, pattern: `^${quotePattern(text)}$`, numeric: 'number' }
  }
  if (scalarTagOf(type, checker) === 'int') return { text: 'number', pattern: intPattern, numeric: 'int' }
  const base = unbranded(type)
  if (base !== type) return keysOf(base, checker)
  if (type.flags & ts.TypeFlags.String) return 'any'
  if (type.flags & ts.TypeFlags.Number) return { text: 'number', pattern: numberPattern, numeric: 'number' }
  const pattern = templatePattern(type)
  return pattern === undefined ? undefined : { text: templateText(type, checker), pattern }
}
