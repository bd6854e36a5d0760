/** No line is longer, unless it has nothing to break it at. */
const lineWidth = 88

/** Python that can be laid out: parts one after another, and items between brackets. */
export type Python = string | Bracketed | readonly Python[]

/** Items between brackets after a name: in one line if they fit, else one a line, as black formats them. */
interface Bracketed {
  readonly name: string
  readonly brackets: '()' | '[]' | '{}'
  readonly items: readonly Python[]
}

/** `name(a, b)` */
export function call(name: string, items: readonly Python[]): Bracketed {
  return { name, brackets: '()', items }
}

/** `Name[A, B]` */
export function subscript(name: string, items: readonly Python[]): Bracketed {
  return { name, brackets: '[]', items }
}

/** `[a, b]` */
export function list(items: readonly Python[]): Bracketed {
  return subscript('', items)
}

/** `(a, b)`: two items or more. */
export function tuple(items: readonly Python[]): Bracketed {
  return call('', items)
}

/** `{"a": 1}` */
export function dict(entries: readonly (readonly [key: string, value: Python])[]): Bracketed {
  return { name: '', brackets: '{}', items: entries.map(([key, value]) => [`${quote(key)}: `, value]) }
}

/** The text in one line. */
export function flat(layout: Python): string {
  if (typeof layout === 'string') return layout
  if (isParts(layout)) return layout.map(flat).join('')
  const { name, brackets, items } = layout
  return name + brackets.charAt(0) + items.map(flat).join(', ') + brackets.charAt(1)
}

function isParts(layout: Python): layout is readonly Python[] {
  return Array.isArray(layout)
}

/** The text in lines of at most 88 columns; its first line begins at `column`, and `after` characters follow the last. */
export function print(layout: Python, indent = 0, column = indent, after = 0): string {
  const line = flat(layout)
  if (typeof layout === 'string' || column + width(line) + after <= lineWidth) return line
  if (isParts(layout)) {
    let text = ''
    layout.forEach((part, i) => {
      const end = text.lastIndexOf('\n')
      const at = end < 0 ? column + width(text) : width(text.slice(end + 1))
      const rest = layout
        .slice(i + 1)
        .map(flat)
        .join('')
      text += print(part, indent, at, width(rest) + after)
    })
    return text
  }
  const { name, brackets, items } = layout
  if (items.length === 0) return line
  const inner = indent + 4
  // After the only index of a type, a comma would make a tuple of it.
  const comma = items.length === 1 && name !== '' && brackets === '[]' ? '' : ','
  const lines = items.map((each) => `${' '.repeat(inner)}${print(each, inner, inner, comma.length)}${comma}\n`)
  return `${name}${brackets.charAt(0)}\n${lines.join('')}${' '.repeat(indent)}${brackets.charAt(1)}`
}

/** The columns of a text: wide characters have two. */
export function width(text: string): number {
  return text.replace(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/g, '  ').length
}

/** A string literal in ASCII, with the quotes that need fewer escapes. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text).replace(/[^ -~]/gu, (each) => {
    const code = each.codePointAt(0) as number
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
  })
  const single = `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  const escapes = (each: string) => each.split('\\').length
  return escapes(single) < escapes(escaped) ? single : escaped
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0')
}

/** Characters that act on what shows a text, and lone surrogates, which no file can have. */
const unprintable = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu

/** The lines of a text for a comment or a docstring: without characters that act, and without spaces at their ends. */
export function textLines(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(unprintable, (each) => `\\u${hex(each.charCodeAt(0), 4)}`)
    .replace(/(?!\n)\s/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
}

/** A docstring with its indentation and a line break; '' for an empty text. */
export function docstring(text: string, indent: number): string {
  const lines = textLines(text.trim()).map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'))
  const pad = ' '.repeat(indent)
  const [first = '', ...others] = lines
  if (first === '' && others.length === 0) return ''
  const start = `${pad}"""${first.startsWith('"') ? ' ' : ''}`
  if (others.length === 0) return `${start}${first}${first.endsWith('"') ? ' ' : ''}"""\n`
  return `${start}${[first, ...others.map((line) => line && pad + line)].join('\n')}\n${pad}"""\n`
}
