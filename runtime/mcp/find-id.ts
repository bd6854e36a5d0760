import { endOfString, membersAt } from '../jsonrpc/parse.js'

const number = /\s*(-?\d[\d.eE+-]*)(?=[\s,}])/y

/**
 * Returns the JSON text of the id of a request that was not decoded, because it is too large or nested too deeply; the text may have been
 * cut. Undefined for a batch, and if the text has no id, or one of a response.
 */
export function findId(text: string): string | undefined {
  if (/^\s*\[/.test(text)) return undefined
  const names = new Set<string>()
  let id: string | undefined
  for (const { name, at } of membersAt(text, 1)) {
    names.add(name)
    if (name === '"id"') id = scalarAt(text, at)
  }
  const isResponse = !names.has('"method"') && (names.has('"result"') || names.has('"error"'))
  return isResponse ? undefined : id
}

function scalarAt(text: string, start: number): string | undefined {
  number.lastIndex = start
  const found = number.exec(text)?.[1]
  const quote = text.indexOf('"', start)
  const isText = found === undefined && text.slice(start, quote).trim() === ''
  const scalar = found ?? (isText ? text.slice(quote, endOfString(text, quote) + 1) : '')
  try {
    // The text may not be JSON.
    const value: unknown = JSON.parse(scalar)
    return isText ? JSON.stringify(value) : scalar
  } catch {
    return undefined
  }
}
