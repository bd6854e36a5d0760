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
  return withLimits(docText(notes) ?? '', type)
}

/** Adds the constraints of a type to a description, for editors: `Constraints: from 0 to 150.` */
export function withLimits(doc: string, type: ModelType): string {
  const limits = limitsOf(type)
  return limits === '' ? doc : `${doc}${doc === '' ? '' : '\n\n'}Constraints: ${limits}.`
}

/** Those of elements and of the values of a Map or a record too; a named type has its own description. */
function limitsOf(type: ModelType): string {
  if (type.kind === 'union') return [...new Set(type.branches.map(limitsOf))].filter(Boolean).join(', or ')
  const own = type.constraints ? [describeConstraints(type.constraints)] : []
  const inner = partsOf(type).flatMap(([name, part]) => {
    const limits = limitsOf(part)
    if (limits === '') return []
    return [limits.startsWith(`${name} `) ? limits : `${name} ${limits}`]
  })
  return [...own, ...inner].join(', ')
}

/** The types of the elements or values, and what to call these. */
function partsOf(type: ModelType): (readonly [name: string, type: ModelType])[] {
  if (type.kind === 'array' || type.kind === 'set') return [['each', type.element]]
  if (type.kind === 'map') return [['each', type.value]]
  if (type.kind === 'tuple') {
    const elements = type.elements.map((each, i) => [`element ${i}`, each] as const)
    return [...elements, ...(type.rest ? [['each further one', type.rest] as const] : [])]
  }
  const record = type.kind === 'struct' ? recordIndex(type) : undefined
  return record ? [['each', record.type]] : []
}
