// Prints a call in a language: the value `{ a: [1, null] }` is `{"a": [1, None]}` in the style of Python. What a library of that language takes
// for a date, bytes or a large integer is code in the place of the value.
import { isJsonObject } from '../../description/described-types.js'
import type { DescribedParam, TypesByName } from '../../description/description.js'
import { escapeControls, isIdentifier, literalText } from '../../description/type-text.js'

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
