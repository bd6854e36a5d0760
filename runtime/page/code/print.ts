import { branchOf, isJsonObject, resolveType } from '../../description/described-types.js'
import type { DescribedParam, DescribedType, TypesByName } from '../../description/description.js'
import { decodeBase64 } from '../../values/bytes.js'
import { parseDateTime } from '../../xmlrpc/scalars.js'
import { escapeControls, isIdentifier, literalText } from '../type-text.js'

// Prints a call in a language: the value `{ a: [1, null] }` is `{"a": [1, None]}` in the style of Python, and dates, bytes and large integers are
// what a library of that language takes for them.

/** A value that is written as this code; with `inside`, as a call with that list. */
export interface Code {
  readonly [code]: string
  readonly inside?: readonly unknown[]
}

const code = Symbol('code')

/** Code in the place of a value. */
export function codeOf(text: string): Code {
  return { [code]: text }
}

/** The arguments of a constructor that accepts a list; none if the list is empty. */
export function constructorCall(made: string, inside: readonly unknown[]): Code {
  return inside.length === 0 ? codeOf(`${made}()`) : { [code]: made, inside }
}

function isCode(value: object): value is Code {
  return code in value
}

/** How a language writes values. */
export interface Style {
  readonly string: (text: string) => string
  readonly key: (name: string) => string
  readonly words: { readonly null: string; readonly true: string; readonly false: string }
  readonly indent: string
  /** True if there is a space inside of braces in one line. */
  readonly spaceInBraces: boolean
  /** True if the last line of several ends with a comma. */
  readonly trailing: boolean
}

const quote = (text: string) => escapeControls(JSON.stringify(text))

export const jsonStyle: Style = {
  string: quote,
  key: quote,
  words: { null: 'null', true: 'true', false: 'false' },
  indent: '  ',
  spaceInBraces: false,
  trailing: false,
}

export const scriptStyle: Style = {
  string: literalText,
  // A plain `__proto__` would set the prototype.
  key: (name) => (name === '__proto__' ? "['__proto__']" : isIdentifier(name) ? name : literalText(name)),
  words: jsonStyle.words,
  indent: '  ',
  spaceInBraces: true,
  trailing: true,
}

export const pythonStyle: Style = {
  string: quote,
  key: quote,
  words: { null: 'None', true: 'True', false: 'False' },
  indent: '    ',
  spaceInBraces: false,
  trailing: true,
}

/** A value as a language writes it, on one line while that has at most `width` characters. */
export function print(value: unknown, style: Style, width: number, indent = ''): string {
  const short = printFlat(value, style)
  if (short.length <= width || typeof value !== 'object' || value === null) return short
  if (isCode(value)) {
    const { [code]: made, inside } = value
    return inside ? `${made}(${print(inside, style, width - made.length - 2, indent)})` : made
  }
  const inner = indent + style.indent
  const left = width - style.indent.length
  const list = Array.isArray(value)
  const items = list
    ? value.map((each) => print(each, style, left, inner))
    : Object.entries(value).map(([name, each]) => {
        const key = `${style.key(name)}: `
        return key + print(each, style, left - key.length, inner)
      })
  if (items.length === 0) return short
  const [open, close] = list ? '[]' : '{}'
  return `${open}\n${inner}${items.join(`,\n${inner}`)}${style.trailing ? ',' : ''}\n${indent}${close}`
}

function printFlat(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.string(value)
  if (typeof value === 'boolean') return style.words[`${value}`]
  if (typeof value === 'number') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each) => printFlat(each, style)).join(', ')}]`
  if (!isJsonObject(value)) return style.words.null
  if (isCode(value)) return value.inside ? `${value[code]}(${printFlat(value.inside, style)})` : value[code]
  const members = Object.entries(value).map(([name, each]) => `${style.key(name)}: ${printFlat(each, style)}`)
  if (members.length === 0) return '{}'
  return style.spaceInBraces ? `{ ${members.join(', ')} }` : `{${members.join(', ')}}`
}

/** The arguments of a call, one per line if they are long. */
export function printArguments(values: readonly unknown[], style: Style, width: number): string {
  const flat = values.map((each) => printFlat(each, style)).join(', ')
  if (flat.length <= width) return flat
  const { indent } = style
  const all = values.map((each) => print(each, style, 72, indent))
  return `\n${indent}${all.join(`,\n${indent}`)}${style.trailing ? ',' : ''}\n`
}

/** A call for which code is written. */
export interface ShownCall {
  readonly url: string
  readonly name: string
  /** In JSON form. */
  readonly params: readonly unknown[]
  readonly declared: readonly DescribedParam[]
  readonly types: TypesByName
  /** Headers other than the content type. */
  readonly headers: Readonly<Record<string, string>>
  /** The request of JSON-RPC. */
  readonly message: unknown
  /** The document of XML-RPC. */
  readonly xml: string
}

/** What becomes of a value in JSON form; `kind` is that of its type. */
export interface Conversion<Result> {
  list(items: readonly Result[], kind: string): Result
  members(members: readonly (readonly [name: string, value: Result])[], kind: string): Result
  text(text: string, kind: string): Result
  number(value: number, kind: string): Result
  other(value: boolean | null, kind: string): Result
}

/** Converts a value by its type, inner values first. One that does not match its type is converted by its own form. */
export function convert<Result>(
  value: unknown,
  type: DescribedType,
  types: TypesByName,
  to: Conversion<Result>,
): Result {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return convert(value, plain.branches[branchOf(value, plain, types)] ?? any, types, to)
  if (Array.isArray(value)) {
    const items = value.map((each, index) => convert(each, elementType(plain, index), types, to))
    return to.list(items, plain.kind)
  }
  if (isJsonObject(value)) {
    const convertMember = ([name, each]: readonly [string, unknown]) =>
      [name, convert(each, memberType(plain, name), types, to)] as const
    return to.members(Object.entries(value).map(convertMember), plain.kind)
  }
  if (typeof value === 'string') return to.text(value, plain.kind)
  return typeof value === 'number'
    ? to.number(value, plain.kind)
    : to.other(typeof value === 'boolean' ? value : null, plain.kind)
}

const any: DescribedType = { kind: 'any' }

/** The type of an argument by its position. */
export function argumentType(params: readonly DescribedParam[], index: number): DescribedType {
  const last = params.at(-1)
  return (params[index] ?? (last?.rest ? last : undefined))?.type ?? any
}

function elementType(type: DescribedType, index: number): DescribedType {
  if (type.kind === 'array' || type.kind === 'set') return type.element
  return type.kind === 'tuple' ? (type.elements[index] ?? type.rest ?? any) : any
}

function memberType(type: DescribedType, name: string): DescribedType {
  if (type.kind === 'map') return type.value
  if (type.kind !== 'struct') return any
  const index = type.indexes?.findLast(({ keys }) => !keys || new RegExp(keys.pattern).test(name))
  return (type.members.find((each) => each.name === name) ?? index)?.type ?? any
}

/** How a language writes values that JSON cannot represent. Kinds that are left out are written as in JSON. */
export interface NativeWriters {
  readonly date: (date: Date) => string
  readonly bytes: (bytes: Uint8Array) => string
  readonly bigint: (digits: string) => string
  readonly number?: (value: number, kind: string) => string | undefined
  readonly url?: (text: string) => string
  readonly set?: (values: readonly unknown[]) => Code
  readonly map?: (entries: readonly (readonly [string, unknown])[]) => Code
  readonly undefined?: string
}

/** A value in its JSON form, with code for types that JSON does not have. */
export function toNative(value: unknown, type: DescribedType, types: TypesByName, write: NativeWriters): unknown {
  return convert<unknown>(value, type, types, {
    list: (items, kind) => (kind === 'set' && write.set?.(items)) || items,
    members: (members, kind) => (kind === 'map' && write.map?.(members)) || Object.fromEntries(members),
    text: (text, kind) => textToNative(text, kind, write),
    number: (number, kind) => numberToNative(number, kind, write),
    other: (other, kind) =>
      other === null && /^(undefined|void)$/.test(kind) && write.undefined ? codeOf(write.undefined) : other,
  })
}

function numberToNative(value: number, kind: string, write: NativeWriters): number | Code {
  if (kind === 'bigint' && Number.isSafeInteger(value)) return codeOf(write.bigint(String(value)))
  const text = write.number?.(value, kind)
  return text === undefined ? value : codeOf(text)
}

function textToNative(text: string, kind: string, write: NativeWriters): string | Code {
  if (kind === 'bigint' && /^-?\d+$/.test(text)) return codeOf(write.bigint(text))
  if (kind === 'url' && write.url) return codeOf(write.url(text))
  const date = kind === 'date' ? parseDateTime(text) : undefined
  if (date) return codeOf(write.date(date))
  const bytes = kind === 'bytes' ? decodeBase64(text) : undefined
  return bytes ? codeOf(write.bytes(bytes)) : text
}
