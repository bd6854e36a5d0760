/** Returns JSON with line breaks; numbers and texts are unchanged. Any other text is returned unchanged. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(/("(?:[^"\\]|\\.)*")|([[{])\s*([\]}])?|([\]}])|,|:|\s+/g, (each, string, open, empty, close) => {
    if (string !== undefined) return string
    if (open !== undefined) {
      if (empty !== undefined) return open + empty
      depth++
      return open + line()
    }
    if (close !== undefined) {
      depth--
      return line() + close
    }
    if (each === ',') return `,${line()}`
    return each === ':' ? ': ' : ''
  })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
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
