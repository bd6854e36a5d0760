// XML-RPC calls as the page sends and shows them, with line breaks.
import type { DescribedParam, TypesByName } from '../../description/description.js'
import { escapeText } from '../../xmlrpc/parse.js'
import { writeDouble, writeScalar } from '../../xmlrpc/scalars.js'
import { argumentType, type Conversion, convert, type ScalarValue } from './convert.js'

/**
 * A `<methodCall>` of values in JSON form. A value that does not match its type is written by its own form, so that the server
 * reports the mismatch. Throws an Error for a text that XML cannot represent.
 */
export function methodCall(
  name: string,
  params: readonly unknown[],
  declared: readonly DescribedParam[],
  types: TypesByName,
): string {
  const values = params.map((each, index) => convert(each, argumentType(declared, index), types, toXml))
  const list = values.map((each) => `<param>${each}</param>`).join('')
  const call = `<methodName>${escapeText(name)}</methodName><params>${list}</params>`
  return prettyXml(`<?xml version="1.0"?><methodCall>${call}</methodCall>`)
}

const toXml: Conversion<string> = {
  list: (items) => `<value><array><data>${items.join('')}</data></array></value>`,
  members(members) {
    const items = members.map(([name, each]) => `<member><name>${escapeText(name)}</name>${each}</member>`)
    return `<value><struct>${items.join('')}</struct></value>`
  },
  scalar: scalarValue,
}

/** An integer of any size is sent: the server reports one that it does not accept. */
function scalarValue(value: ScalarValue, kind: string): string {
  if (typeof value === 'bigint') return `<value><i8>${value}</i8></value>`
  return kind === 'double' && typeof value === 'number' ? writeDouble(value) : (writeScalar(value) ?? '')
}

/** Returns XML with line breaks between tags; an element without child elements is on one line. */
export function prettyXml(text: string): string {
  let depth = 0
  // White space that is all of a text is a text.
  const joined = text.replace(/(<(string|name|value)>\s*<\/\2>)|>\s+</g, (_, whole?: string) => whole ?? '><')
  const tokens = joined.split(/(?<=>)(?<!<(?:string|name|value)>(?=<\/))(?=<)/)
  return tokens
    .map((token) => {
      if (token.startsWith('</')) depth--
      const line = '  '.repeat(Math.max(depth, 0)) + token
      if (/^<[^!?/][^>]*[^/]>$|^<\w>$/.test(token)) depth++
      return line
    })
    .join('\n')
    .replace(/(<(data|struct|array|params)>)\n\s*<\/\2>/g, '$1</$2>')
    .replace(/<value>\n\s*(<([\w.:]+)>[^<\n]*<\/\2>|<nil\/>)\n\s*<\/value>/g, '<value>$1</value>')
}
