import type { Notes } from '../values/types.js'

/** Returns docs as one text, in which a deprecation is the last paragraph; undefined without docs. */
export function docText({ doc, deprecated, deprecation }: Notes): string | undefined {
  if (!deprecated) return doc
  const notice = deprecation === undefined ? 'Deprecated.' : `Deprecated: ${deprecation}`
  return doc === undefined ? notice : `${doc}\n\n${notice}`
}
