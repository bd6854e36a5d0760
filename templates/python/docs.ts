import type { EnumConstant, ModelType, NamedType, ValueNotes } from '../../generator/model/model.js'
import { docWithConstraints, paragraphs } from '../docs.js'

/** The docs of a member or a parameter, with its default as Python writes it. */
export function valueDoc(notes: ValueNotes, type: ModelType): string {
  const { default: value } = notes
  const isText = type.kind === 'bigint' || type.kind === 'date'
  const words = value === undefined ? '' : `Default: ${isText ? value : pythonValue(value)}`
  return paragraphs([docWithConstraints(notes, type), words])
}

/** The docs of a type, with the names of the values of an enum. */
export function typeDoc({ constants = [], type, ...notes }: NamedType): string {
  const values = constants.flatMap((each) => bullet(pythonValue(each.value), constantDoc(each)))
  return paragraphs([docWithConstraints(notes, type), values.join('\n')])
}

function constantDoc({ name, value, ...notes }: EnumConstant): string {
  const own = docWithConstraints(notes, { kind: 'any' })
  return [...(value === name ? [] : [name]), own].filter(Boolean).join(' - ')
}

function pythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`)
  return `{${members.join(', ')}}`
}

/** A section of a docstring; '' without items. */
export function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n${items.map((each) => `    ${each}`).join('\n')}`
}

/** One entry of a section, with its further lines indented; none without a text. */
export function item(head: string, text: string): string[] {
  return text === '' ? [] : [head + text.replace(/\n+/g, '\n        ')]
}

/** One entry of a list, which Markdown and reStructuredText have in the same form; none without a text. */
export function bullet(head: string, text: string): string[] {
  return text === '' ? [] : [`- ${head}: ${text.replace(/\n+/g, '\n  ')}`]
}
