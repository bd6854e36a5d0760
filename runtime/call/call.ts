import type { WireType } from '../values/types.js'

/** One call, in no protocol's words. */
export interface Call {
  readonly method: string
  /** By position, or by name. */
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>
  /** What the answer has to repeat: in JSON-RPC the id as it stands in the answer's text. */
  readonly id?: string
  /** False for a notification: it runs, and nothing is sent. */
  readonly wantsReply: boolean
  /** Whether a bigint in `params` may be what a client has as a double: JSON has one kind of number. */
  readonly untypedNumbers?: boolean
}

/** An entry of a batch that is no call: its answer is known already. */
export interface Misshapen {
  readonly error: Error
  readonly id?: string
}

/** A body, decoded. */
export interface Message {
  readonly entries: readonly (Call | Misshapen)[]
  /** True when the answers go back as a list, even a single one. */
  readonly batch: boolean
}

/** An error as a client sees it. */
export interface WireError {
  readonly code: number
  readonly message: string
  /** Present when it is sent, also when it is falsy. */
  readonly data?: unknown
}

/** A call that failed. */
export interface Failure {
  readonly ok: false
  /** What was thrown, for callers in the same process; it is not sent. */
  readonly cause: unknown
  readonly error: WireError
}

/** What became of a call. */
export type Outcome = { readonly ok: true; readonly type: WireType; readonly value: unknown } | Failure
