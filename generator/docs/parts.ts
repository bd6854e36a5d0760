import type { DocParam, DocProblem, DocReturns, DocTag, DocThrows } from './comment.js'

interface PartValues {
  readonly param: DocParam
  readonly returns: DocReturns
  readonly throws: DocThrows
  readonly tag: DocTag
  readonly problem: DocProblem
}

type PartKind = keyof PartValues

/** What one field or tag says. */
export type Part = { [K in PartKind]: { readonly kind: K; readonly value: PartValues[K] } }[PartKind]

/** The values of one kind, in order. */
export function valuesOf<K extends PartKind>(parts: readonly Part[], kind: K): PartValues[K][] {
  return parts.filter((part) => part.kind === kind).map((part) => part.value as PartValues[K])
}

/** A type as written, white space collapsed; absent when there is none. */
export function typePart(type: string): { readonly type?: string } {
  const collapsed = type.replace(/\s+/g, ' ').trim()
  return collapsed === '' ? {} : { type: collapsed }
}
