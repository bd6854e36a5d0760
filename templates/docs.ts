import type { ModelType } from '../generator/model/model.js'
import { recordIndex } from '../runtime/description/described-types.js'
import { docText, withDefault } from '../runtime/description/description.js'
import { describeConstraints } from '../runtime/values/constraints.js'
import type { Notes, ValueNotes } from '../runtime/values/types.js'

/** The docs of a parameter in one text. */
export function paramDoc(notes: ValueNotes, type: ModelType): string {
  return withDefault(docWithConstraints(notes, type), notes.default)
}

/** Docs in one text: with the deprecation, and the constraints of the type. */
export function docWithConstraints(notes: Notes, type: ModelType): string {
  return withConstraintText(docText(notes) ?? '', type)
}

/** Adds the constraints of a type to a description, for editors: `Constraints: from 0 to 150.` */
export function withConstraintText(doc: string, type: ModelType): string {
  const { text } = constraintText(type)
  return paragraphs([doc, text && `Constraints: ${text}.`])
}

/** The texts that are not empty, with a blank line between them. */
export function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Constraints in words, and the part of the values that they begin with, if it is not the whole: `each`. */
interface ConstraintText {
  readonly text: string
  readonly part?: string | undefined
}

/** Those of elements and of the values of a Map or a record too; a named type has its own description. */
function constraintText(type: ModelType): ConstraintText {
  if (type.kind === 'union') return joinConstraints(type.branches.map(constraintText), ', or ')
  const own = type.constraints ? [{ text: describeConstraints(type.constraints) }] : []
  const inner = innerParts(type).map(([name, part]): ConstraintText => {
    const limits = constraintText(part)
    const isNamed = limits.part === name || (name === 'each' && limits.part === furtherElements)
    return limits.text === '' || isNamed ? limits : { text: `${name} ${limits.text}`, part: name }
  })
  return joinConstraints([...own, ...inner], ', ')
}

function joinConstraints(all: readonly ConstraintText[], separator: string): ConstraintText {
  const some = all.filter(({ text }) => text !== '')
  return { text: [...new Set(some.map(({ text }) => text))].join(separator), part: some[0]?.part }
}

const furtherElements = 'each further one'

/** The types of the elements or values, and what to call these. */
function innerParts(type: ModelType): (readonly [name: string, type: ModelType])[] {
  if (type.kind === 'array' || type.kind === 'set') return [['each', type.element]]
  if (type.kind === 'map') return [['each', type.value]]
  if (type.kind === 'tuple') {
    const elements = type.elements.map((each, i) => [`element ${i}`, each] as const)
    return [...elements, ...(type.rest ? [[furtherElements, type.rest] as const] : [])]
  }
  const record = type.kind === 'struct' ? recordIndex(type) : undefined
  return record ? [['each', record.type]] : []
}
