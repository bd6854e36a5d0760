import type { OverloadModel, ParamModel, ReturnsModel } from '../model/model.js'

/** What the types say of a function: parameters that travel, where the context goes, the awaited result. */
export interface ResolvedSignature {
  readonly params: readonly ParamModel[]
  readonly contextAt: readonly number[]
  readonly contextNames: readonly string[]
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
  /** True if it returns an AsyncIterable, whose items `returns` describes. */
  readonly subscription?: boolean
  /** Where there are several signatures: each of them. */
  readonly overloads?: readonly OverloadModel[]
}
