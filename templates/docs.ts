import type { ModelType } from '../generator/model/model.js'
import { recordIndex } from '../runtime/description/described-types.js'
import { docText, withDefault } from '../runtime/description/description.js'
import { describeConstraints } from '../runtime/values/constraints.js'
import type { Notes, ValueNotes } from '../runtime/values/types.js'

/** The docs of a parameter in one text. */
export function paramDoc(notes: ValueNotes, type: ModelType): string {
  return withDefault(limitedDoc(notes, type), notes.default)
}

/** Docs in one text: with the deprecation, and the constraints of the type. */
export function limitedDoc(notes: Notes, type: ModelType): string {
  return withLimitWords(docText(notes) ?? '', type)
}

/** Adds the constraints of a type to a description, for editors: `Constraints: from 0 to 150.` */
export function withLimitWords(doc: string, type: ModelType): string {
  const { text } = limitWords(type)
  return paragraphs([doc, text && `Constraints: ${text}.`])
}

/** The texts that are not empty, with a blank line between them. */
export function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Constraints in words, and the part of the values that they begin with, if it is not the whole: `each`. */
interface LimitWords {
  readonly text: string
  readonly part?: string | undefined
}

/** Those of elements and of the values of a Map or a record too; a named type has its own description. */
function limitWords(type: ModelType): LimitWords {
  if (type.kind === 'union') return joinLimits(type.branches.map(limitWords), ', or ')
  const own = type.constraints ? [{ text: describeConstraints(type.constraints) }] : []
  const inner = innerParts(type).map(([name, part]): LimitWords => {
    const limits = limitWords(part)
    const isNamed = limits.part === name || (name === 'each' && limits.part === furtherOnes)
    return limits.text === '' || isNamed ? limits : { text: `${name} ${limits.text}`, part: name }
  })
  return joinLimits([...own, ...inner], ', ')
}

function joinLimits(all: readonly LimitWords[], separator: string): LimitWords {
  const some = all.filter(({ text }) => text !== '')
  return { text: [...new Set(some.map(({ text }) => text))].join(separator), part: some[0]?.part }
}

const furtherOnes = 'each further one'

/** The types of the elements or values, and what to call these. */
function innerParts(type: ModelType): (readonly [name: string, type: ModelType])[] {
  if (type.kind === 'array' || type.kind === 'set') return [['each', type.element]]
  if (type.kind === 'map') return [['each', type.value]]
  if (type.kind === 'tuple') {
    const elements = type.elements.map((each, i) => [`element ${i}`, each] as const)
    return [...elements, ...(type.rest ? [[furtherOnes, type.rest] as const] : [])]
  }
  const record = type.kind === 'struct' ? recordIndex(type) : undefined
  return record ? [['each', record.type]] : []
}
