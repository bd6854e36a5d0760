import { memberPath } from '../explain.js'
import type { Limits } from '../limits.js'

/** A document while it is read, once and from left to right. */
export interface Source {
  readonly text: string
  readonly limits: Limits
  /** Whether element names that XML-RPC does not have are read, too; else they are outside the core. */
  readonly anyName: boolean
  /** The index of what is read next. */
  at: number
  /** Whether what was read last is a tag `<name/>`, and no closing tag comes. */
  empty: boolean
  /** Whether the elements of the parameters are the entries of a multicall. */
  multicall: boolean
  /** Indexes and member names from the parameters down to what is being read; what is deeper is of the past. */
  readonly path: PathPart[]
  /** The first scalar whose text is not of its type. */
  refusal: Refusal | undefined
}

/** Undefined for a member whose value stands before its name. */
export type PathPart = number | string | undefined

/** A scalar whose text is not of its type. */
export interface Refusal {
  readonly path: PathPart[]
  readonly expected: string
  readonly received: string
}

/** How deep an element is: its index in the path, and these two for what is around the parameters. */
export const inCall = -2
export const inParams = -1

/** The path of what is being read at a level: `params[0].lines[2].quantity`; `''` for the call itself. */
export function pathOf({ path }: Pick<Source, 'path'>, level: number): string {
  if (level === inCall) return ''
  let text = 'params'
  for (const part of path.slice(0, level + 1)) {
    if (typeof part === 'number') text += `[${part}]`
    else if (part !== undefined) text = memberPath(text, part)
  }
  return text
}
