import type { Notes, ValueNotes } from '../values/types.js'

/** Returns docs as one text, in which a deprecation is the last paragraph; undefined without docs. */
export function docText({ doc, deprecated, deprecation }: Notes): string | undefined {
  if (!deprecated) return doc
  const notice = deprecation === undefined ? 'Deprecated.' : `Deprecated: ${deprecation}`
  return doc === undefined ? notice : `${doc}\n\n${notice}`
}

/** Returns the docs of a member or a parameter as one text, in which its default is the last paragraph; '' without docs. */
export function valueText(notes: ValueNotes): string {
  return withDefault(docText(notes) ?? '', notes.default)
}

/** Adds a default to docs: `Default: 20` */
export function withDefault(text: string, value: unknown): string {
  return value === undefined ? text : `${text}${text && '\n\n'}Default: ${JSON.stringify(value)}`
}
