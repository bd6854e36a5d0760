// Breaks lines at 120 columns. A layout is made of groups, whose items are in one line if they fit, and of names, which may be chosen later:
//
//   print(group('[]', ['line', 'order']))  →  [line, order]
import { escapeActing, isIdentifier, memberKey, quote } from '../../generator/text.js'

/** No line is longer, unless it has nothing to break it at, as a string literal type has not. */
export const lineWidth = 120

/** A text that can be laid out: parts one after another, groups that can be broken over lines, names, and string literals. */
export type Layout = string | Group | Operation | Name | Property | Literal | readonly Layout[]

/** An identifier. It may be chosen after the layout was made; nothing is printed before. */
export interface Name {
  readonly name: string
  /** What a file that prints the name has to import: an export of a module, which may be a type only. */
  readonly from?: { readonly module: string; readonly export: string; readonly isType?: boolean }
}

/** `key: name` in an object literal; `name` alone if that is the key. */
interface Property {
  readonly key: string
  readonly value: Name
}

/** Items between brackets, in one line if they fit; without brackets a union or an intersection. */
interface Group {
  readonly brackets: '()' | '[]' | '{}' | '<>' | ''
  readonly items: readonly Layout[]
  /** What separates two items; a broken union or intersection has `|` or `&` before each item. */
  readonly separator: ',' | ';' | ' |' | ' &'
  /** True to put as many items in a line as fit, false for one item a line. */
  readonly fill: boolean
  /** True if the last item of a broken group has a separator after it, which TypeScript does not allow everywhere. */
  readonly isTerminated: boolean
  /** The text in one line, after it was printed once. */
  line: string | undefined
}

/** A type with an operator before it. */
interface Operation {
  readonly operator: 'readonly'
  readonly operand: Layout
}

/** A string literal, which is broken into several that are added. */
interface Literal {
  readonly text: string
}

/** Items between brackets, separated by commas. */
export function group(
  brackets: Group['brackets'],
  items: readonly Layout[],
  { fill = true, isTerminated = true }: Partial<Pick<Group, 'fill' | 'isTerminated'>> = {},
): Layout {
  return { brackets, items, separator: ',', fill, isTerminated, line: undefined }
}

/** `[a, b]` */
export function brackets(items: readonly Layout[]): Layout {
  return group('[]', items)
}

/** `{ a, b }` */
export function braces(items: readonly Layout[]): Layout {
  return group('{}', items)
}

/** `name(a, b)` */
export function call(name: Name, args: readonly Layout[]): Layout {
  return [name, group('()', args)]
}

/** `Name<A, B>` */
export function generic(name: string | Name, args: readonly Layout[]): Layout {
  return [name, group('<>', args, { isTerminated: false })]
}

/** Members of a type literal, separated by semicolons. */
export function members(items: readonly Layout[]): Layout {
  return { brackets: '{}', items, separator: ';', fill: true, isTerminated: true, line: undefined }
}

/** The type that has every value: a union with it is this type alone. */
export const unknownType: Name = { name: 'unknown' }

/** Types of which one applies, each text once: `A | B`. */
export function alternatives(items: readonly Layout[]): Layout {
  const all = items.flatMap((each) => (isJoined(each) && each.separator === ' |' ? each.items : [each]))
  if (all.includes(unknownType)) return unknownType
  return joinedBy(' |', [...new Map(all.map((each) => [flat(each), each])).values()], true)
}

/** Types that all apply: `A & B`. */
export function intersection(items: readonly Layout[]): Layout {
  return joinedBy(' &', items, false)
}

function joinedBy(separator: ' |' | ' &', items: readonly Layout[], fill: boolean): Layout {
  const [only = '', ...others] = items
  return others.length === 0 ? only : { brackets: '', items, separator, fill, isTerminated: false, line: undefined }
}

/** True for a union or an intersection: if it is broken, every line begins with the separator. */
function isJoined(layout: Layout): layout is Group {
  return typeof layout === 'object' && 'brackets' in layout && layout.brackets === ''
}

/** `readonly T` of a list. */
export function readonlyList(operand: Layout): Layout {
  return { operator: 'readonly', operand }
}

/** A type to which `[]` or `?` can be appended: in parentheses if an operator joins its parts. */
export function grouped(type: Layout): Layout {
  const isOperation = typeof type === 'object' && 'operator' in type
  return isOperation || isJoined(type) ? ['(', type, ')'] : type
}

/** A string literal. */
export function literal(text: string): Layout {
  return { text }
}

/** The text in lines of at most 120 columns; its first line begins at `column`, and `after` characters follow the last. */
export function print(layout: Layout, indent = 0, column = indent, after = 0): string {
  const line = flat(layout)
  if (typeof layout === 'string' || (column + line.length + after <= lineWidth && !line.includes('\n'))) return line
  const parts = partsOf(layout)
  if (parts) return printParts(parts, indent, column, after)
  if ('text' in layout) return printLiteral(layout.text, indent)
  return 'brackets' in layout ? printGroup(layout, indent) : line
}

/** The text in one line. */
export function flat(layout: Layout): string {
  if (typeof layout === 'string') return layout
  if (isParts(layout)) return layout.map(flat).join('')
  if ('brackets' in layout) {
    layout.line ??= flatGroup(layout)
    return layout.line
  }
  if ('name' in layout) return layout.name
  if ('text' in layout) return quote(layout.text)
  if ('operator' in layout) return `${layout.operator} ${flat(layout.operand)}`
  const { key, value } = layout
  return key === value.name && isIdentifier(key) ? key : `${memberKey(key)}: ${value.name}`
}

function flatGroup({ brackets, items, separator }: Group): string {
  const pad = brackets === '{}' && items.length > 0 ? ' ' : ''
  return brackets.charAt(0) + pad + items.map(flat).join(`${separator} `) + pad + brackets.charAt(1)
}

/** Calls a function with each name in a layout, in order, until it returns true; returns whether it did. */
export function containsName(layout: Layout, test: (name: Name) => boolean): boolean {
  if (typeof layout === 'string' || 'text' in layout) return false
  if ('name' in layout) return test(layout)
  if ('key' in layout) return test(layout.value)
  if ('operator' in layout) return containsName(layout.operand, test)
  for (const part of isParts(layout) ? layout : layout.items)
    if (typeof part !== 'string' && containsName(part, test)) return true
  return false
}

/** True for a single identifier. */
export function isName(layout: Layout): layout is Name {
  return typeof layout === 'object' && 'name' in layout
}

/** What is printed one after another; undefined for other layouts. */
function partsOf(layout: Exclude<Layout, string>): readonly Layout[] | undefined {
  if (isParts(layout)) return layout
  return 'operator' in layout ? [`${layout.operator} `, layout.operand] : undefined
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
    const inner = typeof part === 'string' ? undefined : partsOf(part)
    if (inner) return length + unbroken(inner, after)
    if (typeof part === 'object' && 'brackets' in part && part.items.length > 0)
      return length + part.brackets.slice(0, 1).length
    length += flat(part).length
  }
  return length + after
}

function printGroup(broken: Group, indent: number): string {
  const { brackets, items, separator, fill, isTerminated } = broken
  const inner = indent + 2
  const isLeading = isJoined(broken)
  const [before, behind] = isLeading ? [`${separator.trim()} `, ''] : ['', separator]
  const lines: string[] = []
  items.forEach((item, i) => {
    const end = i === items.length - 1 && !isTerminated ? '' : behind
    const short = flat(item) + end
    const last = lines.at(-1)
    const joined = `${last} ${before}${short}`
    if (fill && last !== undefined && !joined.includes('\n') && inner + joined.length <= lineWidth)
      lines[lines.length - 1] = joined
    else {
      const itemIndent = isJoined(item) ? indent : inner
      lines.push(before + print(item, itemIndent, inner + before.length, end.length).trimStart() + end)
    }
  })
  const start = `${brackets.charAt(0)}\n${lines.map((line) => ' '.repeat(inner) + line).join('\n')}`
  return isLeading ? start : `${start}\n${' '.repeat(indent)}${brackets.charAt(1)}`
}

/** The pieces end where the text has a new line, or else after a space. */
function printLiteral(text: string, indent: number): string {
  const most = lineWidth - indent - 4
  const pieces = text.split(/(?<=\n)(?!\n)/).flatMap((line) => cut(line, most))
  const start = `\n${' '.repeat(indent + 2)}`
  return start + pieces.map(quote).join(` +${start}`)
}

function cut(line: string, most: number): string[] {
  const pieces: string[] = []
  let rest = line
  // A long text is not quoted again for each of its pieces.
  while (rest.length > most || quote(rest).length > most) {
    const end = endOfPiece(rest, most)
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}

function endOfPiece(text: string, most: number): number {
  let end = most - 2
  while (quote(text.slice(0, end)).length > most) end -= 1
  const space = text.lastIndexOf(' ', end - 1)
  if (space > 0) return space + 1
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}

/** `name: value` of an object literal, `name` alone if the value is the variable of that name. */
export function property(key: string, value: Layout): Layout {
  return isName(value) ? { key, value } : [`${memberKey(key)}: `, value]
}

/** The export of a module, or the member of an object: `users.find`, `users['odd name']`. */
export function memberAccess(object: string, name: string): string {
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

/** A value of JSON as an expression. */
export function valueLayout(value: unknown): Layout {
  if (typeof value === 'string') return literal(value)
  if (Array.isArray(value)) return group('[]', value.map(valueLayout), { fill: typeof value[0] !== 'object' })
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
