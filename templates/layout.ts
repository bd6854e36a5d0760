// Breaks lines at 120 columns. A layout is made of groups, whose items are in one line if they fit, and of names, which may be chosen later:
//
//   print(call('array', ['line']))  →  array(line)

/** No line is longer, unless it has nothing to break it at, as a string literal type has not. */
export const lineWidth = 120

/** A text that can be laid out: parts one after another, groups that can be broken over lines, names, and string literals. */
export type Layout = string | Group | Name | Property | Literal | readonly Layout[]

/** An identifier. It may be chosen after the layout was made; nothing is printed before. */
export interface Name {
  readonly name: string
  /** What a file that prints the name has to import: an export of a module. */
  readonly from?: { readonly module: string; readonly export: string }
}

/** `key: name` in an object literal; `name` alone if that is the key. */
interface Property {
  readonly key: string
  readonly value: Name
}

/** Items between brackets, in one line if they fit. */
export interface Group {
  readonly open: string
  readonly items: readonly Layout[]
  readonly close: string
  /** What separates two items; a broken union or intersection has `|` or `&` before each item. */
  readonly separator: ',' | ';' | ' |' | ' &'
  /** True to put as many items in a line as fit, false for one item a line. */
  readonly fill: boolean
  /** The text in one line, after it was printed once. */
  line: string | undefined
}

/** A string literal, which is broken into several that are added. */
interface Literal {
  readonly text: string
}

/** Items between brackets, separated by commas. */
export function group(open: string, items: readonly Layout[], close: string, fill = true): Group {
  return separated(open, items, close, ',', fill)
}

/** `[a, b]` */
export function brackets(items: readonly Layout[]): Group {
  return group('[', items, ']')
}

/** `{ a, b }` */
export function braces(items: readonly Layout[]): Group {
  return group('{', items, '}')
}

/** `name(a, b)` */
export function call(name: string | Name, args: readonly Layout[]): Layout {
  return [name, group('(', args, ')')]
}

/** `Name<A, B>` */
export function generic(name: string | Name, args: readonly Layout[]): Layout {
  return [name, group('<', args, '>')]
}

/** Members of a type literal, separated by semicolons. */
export function members(items: readonly Layout[]): Group {
  return separated('{', items, '}', ';', true)
}

/** Types of which one applies, each once: `A | B`. */
export function alternatives(items: readonly Layout[]): Layout {
  const all = items.flatMap((each) => (isUnion(each) ? each.items : [each]))
  const distinct = [...new Map(all.map((each) => [flat(each), each])).values()]
  return distinct.length === 1 ? (distinct[0] ?? '') : separated('', distinct, '', ' |', true)
}

/** A union inside of another one would begin a broken line with a second separator. */
function isUnion(layout: Layout): layout is Group {
  return typeof layout === 'object' && 'separator' in layout && layout.separator === ' |'
}

/** Types that all apply: `A & B`. */
export function intersection(items: readonly Layout[]): Layout {
  return items.length === 1 ? (items[0] ?? '') : separated('', items, '', ' &', false)
}

function separated(
  open: string,
  items: readonly Layout[],
  close: string,
  separator: Group['separator'],
  fill: boolean,
): Group {
  return { open, items, close, separator, fill, line: undefined }
}

/** A string literal. */
export function literal(text: string): Layout {
  return { text }
}

/** The text in lines of at most 120 columns; its first line begins at `column`, and `after` characters follow the last. */
export function print(layout: Layout, indent = 0, column = indent, after = 0): string {
  const line = flat(layout)
  if (typeof layout === 'string' || (column + line.length + after <= lineWidth && !line.includes('\n'))) return line
  if (isParts(layout)) return printParts(layout, indent, column, after)
  if ('text' in layout) return printLiteral(layout.text, indent)
  return 'open' in layout ? printGroup(layout, indent) : line
}

/** The text in one line. */
export function flat(layout: Layout): string {
  if (typeof layout === 'string') return layout
  if (isParts(layout)) return layout.map(flat).join('')
  if ('open' in layout) {
    layout.line ??= flatGroup(layout)
    return layout.line
  }
  if ('text' in layout) return quote(layout.text)
  return 'key' in layout ? flat(property(layout.key, layout.value.name)) : layout.name
}

function flatGroup({ open, items, close, separator }: Group): string {
  const pad = open.endsWith('{') && items.length > 0 ? ' ' : ''
  return open + pad + items.map(flat).join(`${separator} `) + pad + close
}

/** Calls a function with each name in a layout, in order, until it returns true; returns whether it did. */
export function someName(layout: Layout, test: (name: Name) => boolean): boolean {
  if (typeof layout === 'string' || 'text' in layout) return false
  if (isParts(layout)) return layout.some((part) => someName(part, test))
  if ('open' in layout) return layout.items.some((item) => someName(item, test))
  return test('key' in layout ? layout.value : layout)
}

/** True for a single identifier. */
export function isName(layout: Layout): layout is string | Name {
  return typeof layout === 'string' || 'name' in layout
}

function isParts(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout)
}

function printParts(parts: readonly Layout[], indent: number, column: number, after: number): string {
  let text = ''
  parts.forEach((part, i) => {
    const end = text.lastIndexOf('\n')
    const at = end < 0 ? column + text.length : text.length - end - 1
    const printed = print(part, indent, at, unbroken(parts.slice(i + 1), after))
    text = (printed.startsWith('\n') ? text.trimEnd() : text) + printed
  })
  return text
}

/** How many characters of a text are in the line in which it begins, whatever is broken. */
function unbroken(parts: readonly Layout[], after: number): number {
  let length = 0
  for (const part of parts) {
    if (typeof part === 'string') length += part.length
    else if (isParts(part)) return length + unbroken(part, after)
    else if ('open' in part && part.items.length > 0) return length + part.open.length
    else length += flat(part).length
  }
  return length + after
}

/** True for a union or an intersection: if it is broken, every line begins with the separator. */
function isLeadingGroup(layout: Layout): boolean {
  return typeof layout === 'object' && 'separator' in layout && [' |', ' &'].includes(layout.separator)
}

function printGroup(broken: Group, indent: number): string {
  const { open, items, close, separator, fill } = broken
  const inner = indent + 2
  const isLeading = isLeadingGroup(broken)
  const [before, behind] = isLeading ? [`${separator.trim()} `, ''] : ['', separator]
  const lines: string[] = []
  items.forEach((item, i) => {
    // TypeScript allows no comma after a rest parameter, or after the last type argument.
    const end = i === items.length - 1 && (open.endsWith('<') || flat(item).startsWith('...')) ? '' : behind
    const short = flat(item) + end
    const last = lines.at(-1)
    const joined = `${last} ${before}${short}`
    if (fill && last !== undefined && !joined.includes('\n') && inner + joined.length <= lineWidth)
      lines[lines.length - 1] = joined
    else {
      const itemIndent = isLeadingGroup(item) ? indent : inner
      lines.push(before + print(item, itemIndent, inner + before.length, end.length).trimStart() + end)
    }
  })
  const start = `${open}\n${lines.map((line) => ' '.repeat(inner) + line).join('\n')}`
  return isLeading ? start : `${start}\n${' '.repeat(indent)}${close}`
}

/** The pieces end where the text has a new line, or else after a space. */
function printLiteral(text: string, indent: number): string {
  const most = lineWidth - indent - 4
  const pieces = text.split(/(?<=\n)(?!\n)/).flatMap((line) => cut(line, most))
  const start = `\n${' '.repeat(indent + 2)}`
  return start + pieces.map(quote).join(` +${start}`)
}

function cut(line: string, most: number): string[] {
  if (quote(line).length <= most) return [line]
  let end = most - 2
  while (quote(line.slice(0, end)).length > most) end -= 1
  const space = line.lastIndexOf(' ', end - 1)
  if (space > 0) end = space + 1
  else if (/[\ud800-\udbff]/.test(line.charAt(end - 1))) end -= 1
  return [line.slice(0, end), ...cut(line.slice(end), most)]
}

/** A JavaScript string literal: in single quotes, or in double ones where that saves escapes. */
export function quote(text: string): string {
  // Nearly every text; the general case takes ten times as long.
  if (/^[ -&(-[\]-~]*$/.test(text)) return `'${text}'`
  const escaped = escapeUnseen(JSON.stringify(text))
  if (text.includes("'") && !text.includes('"')) return escaped
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The name of a member in an object literal or an interface. */
export function key(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return isIdentifier(name) ? name : quote(name)
}

/** `name: value` of an object literal, `name` alone if the value is the variable of that name. */
export function property(name: string, value: Layout): Layout {
  if (typeof value === 'object' && 'name' in value) return { key: name, value }
  return name === value && isIdentifier(name) ? name : [`${key(name)}: `, value]
}

/** The export of a module, or the member of an object: `users.find`, `users['odd name']`. */
export function memberPath(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${quote(name)}]`
}

/** Its type: `typeof users.find`. */
export function typeofMember(object: string, name: string): string {
  return isIdentifier(name) ? `typeof ${object}.${name}` : `(typeof ${object})[${quote(name)}]`
}

/** `name as local` of an import; `name` alone if it is the local name. */
export function importName(name: string, local: string): string {
  return name === local ? name : `${isIdentifier(name) ? name : quote(name)} as ${local}`
}

/** True for an identifier whose characters can all be seen. */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name) && !invisible.test(name)
}

/** Control and format characters, line separators, lone surrogates, and whatever else is not shown: fillers, variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const invisibles = new RegExp(invisible, 'gu')

/** Escapes characters that a reader of code does not see, as string literals and templates have them: `\u202e`. */
export function escapeUnseen(text: string): string {
  return text.replace(invisibles, escaped)
}

/** Characters that act on what shows a text: C0 except the tab, DEL, C1, line separators, and changes of the text direction. */
const acting = /(?!\t)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Escapes characters that a terminal or an editor obeys. Others may be part of words and emoji. Line breaks remain if `hasLines`. */
export function escapeActing(text: string, hasLines = false): string {
  return text.replace(acting, (each) => (hasLines && each === '\n' ? each : escaped(each)))
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }).join('')
}

/** A value of JSON as an expression. */
export function valueLayout(value: unknown): Layout {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return group('[', value.map(valueLayout), ']', typeof value[0] !== 'object')
  if (typeof value !== 'object' || value === null) return String(value)
  return braces(Object.entries(value).map(([name, each]) => property(name, valueLayout(each))))
}

export function indentLines(text: string, indent: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(indent))
}

/** A doc comment; '' for an empty text. */
export function docBlock(text: string): string {
  if (text === '') return ''
  const lines = escapeActing(text, true).replaceAll('*/', '*\\/').split('\n').flatMap(wrap)
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** A line of a comment, broken at spaces. */
function wrap(line: string): readonly string[] {
  if (line.length <= lineWidth - 10) return [line]
  return (line.match(/.{1,110}(?:\s+|$)|\S+/g) ?? []).map((each) => each.trimEnd())
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
