// Scalars with a tag: to TypeScript `Int` is a number with a tag that no value has, so that every number is assignable to it.
// Each rule that depends on the tag reads this table.
import type { ModelType } from './model.js'

interface Row {
  /** The name of the type. */
  readonly name: string
  /** The kind without the tag. */
  readonly base: 'number' | 'string'
  /** True if a value of the base is one of its values. */
  readonly accepts: (value: unknown) => boolean
  /** What to write instead of another literal. */
  readonly hint: string
}

/** The narrower one is first: an intersection of two is the first. */
const table = {
  int: {
    name: 'Int',
    base: 'number',
    accepts: (literal) => (Number(literal) | 0) === literal,
    hint: 'an Int is whole, and of 32 bits: write number, or Double',
  },
  double: { name: 'Double', base: 'number', accepts: Number.isFinite, hint: 'write a finite one' },
} as const satisfies Partial<Record<ModelType['kind'], Row>>

export type TaggedScalar = keyof typeof table

export const taggedScalars: Readonly<Record<TaggedScalar, Row>> = table

export function isTaggedScalar(kind: string): kind is TaggedScalar {
  return Object.hasOwn(taggedScalars, kind)
}

/** Returns the first in the order of the table. */
export function narrowestScalar(kinds: readonly (string | undefined)[]): TaggedScalar | undefined {
  return Object.keys(taggedScalars)
    .filter(isTaggedScalar)
    .find((each) => kinds.includes(each))
}

/** Returns the kind without its tag: kinds with the same base are assignable to each other in TypeScript. */
export function baseKind(kind: ModelType['kind']): ModelType['kind'] {
  return isTaggedScalar(kind) ? taggedScalars[kind].base : kind
}
