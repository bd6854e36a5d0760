import { ts } from 'ts-morph'

/** An anchored regular expression for a template literal type; undefined when a part has no pattern. */
export function templatePattern(type: ts.Type): string | undefined {
  const pattern = patternOf(type)
  return pattern === undefined ? undefined : `^${pattern}$`
}

function patternOf(type: ts.Type): string | undefined {
  if (type.flags & ts.TypeFlags.TemplateLiteral) {
    const { texts, types } = type as ts.TemplateLiteralType
    const parts = types.map(patternOf)
    if (parts.includes(undefined)) return undefined
    return texts.map((text, i) => quote(text) + (parts[i] ?? '')).join('')
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) return quote(String(type.value))
  if (type.flags & ts.TypeFlags.String) return '[\\s\\S]*'
  if (type.flags & ts.TypeFlags.Number) return '[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?'
  return type.flags & ts.TypeFlags.BigInt ? '-?\\d+' : undefined
}

function quote(text: string): string {
  const quoted = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return quoted.replace(/[\n\r\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
