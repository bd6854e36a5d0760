import type { NamedType, ProcedureModel } from './model.js'
import type { PlacedName } from './names.js'

/** What one source gives to the model: found with that source alone, so that it holds as long as what it imports does. */
export interface Part {
  readonly procedures: readonly PartProcedure[]
  /** The types that they use, in the order of first use; their names are unique in the part only. */
  readonly types: readonly PartType[]
  /** The comments of this source that have `@auth`, `@rpc` or their like, and that itself has not read: somebody has to. */
  readonly directives: readonly string[]
  /** The comments, of any source, that its procedures have, or that were refused. */
  readonly comments: readonly string[]
  /** The source's own relative imports, and how many of them have no ending. */
  readonly imports: { readonly relative: number; readonly bare: number }
}

export interface PartProcedure {
  readonly model: ProcedureModel
  /** Where it is declared: what the order of procedures goes by. */
  readonly file: string
  readonly at: number
  /** The public name and its place, where it is marked. */
  readonly served?: PlacedName
}

export interface PartType extends NamedType {
  /** The name before it was made unique. */
  readonly base: string
  /** Where it is declared: two types are the same only when this is; absent where the source has no name for it. */
  readonly origin?: string
}

/** The types of a part by their names in it. */
export type PartTypesByName = ReadonlyMap<string, PartType>
