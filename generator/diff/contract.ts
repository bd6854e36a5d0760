import type { Properties } from './properties.js'
import type { Security } from './security.js'
import type { Member, Type } from './type.js'

/** A parameter. By name, params are the members of an object. */
export interface Param extends Member {
  readonly name: string
  /** True for a rest parameter: calls by position send the elements of its list as separate arguments. */
  readonly rest: boolean
}

export interface Signature {
  readonly params: readonly Param[]
  /** Undefined for a notification. */
  readonly result: Type | undefined
}

/** A method, as it is compared. */
export interface Method extends Signature, Properties {
  readonly name: string
  /** Undefined for one signature. Else a call uses the first that accepts it, and `params` and `result` combine all of them. */
  readonly overloads: readonly Signature[] | undefined
  /** True if its types have the elements of XML-RPC, so that these can be compared. */
  readonly xml: boolean
  readonly security: Security
  readonly errors: readonly number[]
  /** The rest is only in documents: what `system.methodSignature` returns, and texts for people by subject. */
  readonly signatures?: readonly (readonly string[])[] | undefined
  readonly deprecated?: boolean
  readonly docs?: ReadonlyMap<string, string>
}
