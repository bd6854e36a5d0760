import { ts } from 'ts-morph'

/**
 * An anchored regular expression for a template literal type; undefined when a part has no pattern. A hole ends where the text
 * behind it comes first, and has one character where another hole follows: so TypeScript reads it, and so no text takes more
 * than linear time.
 */
export function templatePattern(type: ts.Type): string | undefined {
  const pattern = type.flags & ts.TypeFlags.TemplateLiteral ? patternOf(type as ts.TemplateLiteralType) : undefined
  return pattern === undefined ? undefined : `^${pattern}$`
}

function patternOf({ texts, types }: ts.TemplateLiteralType): string | undefined {
  const holes = types.map((each, i) => holePattern(each, quote(texts[i + 1] ?? ''), i === types.length - 1))
  return holes.includes(undefined) ? undefined : quote(texts[0] ?? '') + holes.join('')
}

const anything = '[\\s\\S]'
const number = '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?'
const integer = '-?\\d+'

/** A hole and the text behind it. */
function holePattern({ flags }: ts.Type, text: string, isLast: boolean): string | undefined {
  if (flags & ts.TypeFlags.String) {
    if (isLast) return `${anything}*${text}`
    return text === '' ? anything : `(?:(?!${text})${anything})*${text}`
  }
  const digits = flags & ts.TypeFlags.Number ? number : flags & ts.TypeFlags.BigInt ? integer : undefined
  if (digits === undefined || isLast) return digits && `${digits}${text}`
  return text === '' ? '\\d' : `(?=${digits}${text})(?:(?!${text})${anything})+${text}`
}

function quote(text: string): string {
  const quoted = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return quoted.replace(/[\n\r\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
