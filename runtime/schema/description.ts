import type { ProtocolName } from '../protocol.js'
import type { Constrained, WireTypeOf } from '../values/wire-type.js'

/** A type of `Description.types`, by its name there. */
export interface NameRef extends Constrained {
  readonly kind: 'ref'
  readonly name: string
}

/** What a type means on the wire, other types by name. */
export type DescribedType = WireTypeOf<NameRef>

/** A type that is written once and referred to by name. */
export interface NamedType {
  /** Unique in its description, a TypeScript identifier. */
  readonly name: string
  readonly type: DescribedType
  readonly doc?: string
  /** True where the source has no name for it; `name` was then made from the place. */
  readonly anonymous?: boolean
}

/** Named types by their name. */
export type TypesByName = ReadonlyMap<string, NamedType>

/** One parameter that travels. */
export interface ParamOf<Type> {
  readonly name: string
  readonly type: Type
  /** It may be left out, at the end or by name; null stands for left out unless its type has null. */
  readonly optional?: boolean
  /** It takes all arguments from its position on; `type` is the type of one of them. */
  readonly rest?: boolean
  readonly doc?: string
}

/** One with other types by name. */
export type DescribedParam = ParamOf<DescribedType>

/** An error that the docs announce. */
export interface DescribedError {
  /** The class, or the code as it is written; empty where the docs name neither. */
  readonly name: string
  /** What a caller will see; absent where nothing says it. */
  readonly code?: number
  readonly text: string
}

/** A call that the docs show. */
export interface DescribedExample {
  /** As it is written. */
  readonly text: string
  /** The arguments by position, as JSON carries them; absent where the text is no call of literals. */
  readonly params?: readonly unknown[]
  /** What it answers, as JSON carries it, in a list of one; absent where the text does not say. */
  readonly result?: readonly [unknown]
}

/** What a procedure says of itself beside its name and its types. */
export interface Announced {
  /** Protocols that may call it; all of them when absent. */
  readonly protocols?: readonly ProtocolName[]
  /** Set when a newer name should be called instead. */
  readonly deprecated?: boolean
  /** What its docs say of that: what to call instead. */
  readonly deprecation?: string
  /** The version that it came with. */
  readonly since?: string
  /** Whether a call may be sent again when its answer got lost. */
  readonly idempotent?: boolean
  /** The errors that its docs announce. */
  readonly throws?: readonly DescribedError[]
  /** The calls that its docs show. */
  readonly examples?: readonly DescribedExample[]
}

/** One signature of an overloaded function; a compiled procedure does not say what each of them answers. */
export interface DescribedOverload {
  readonly params: readonly DescribedParam[]
  readonly returns?: { readonly type: DescribedType }
}

/** One procedure as a caller sees it. */
export interface DescribedProcedure extends Announced {
  readonly name: string
  /** The prose of its docs; `''` without any. */
  readonly description: string
  readonly params: readonly DescribedParam[]
  /** Where the function is overloaded, the parameters of each overload; `params` has what any of them takes. */
  readonly overloads?: readonly DescribedOverload[]
  readonly returns: { readonly type: DescribedType; readonly doc?: string }
  /** What `system.methodSignature` answers. */
  readonly signatures: readonly (readonly string[])[]
}

/** An API, in plain data: what JSON Schema, OpenRPC and the docs page are written from. */
export interface Description {
  readonly procedures: readonly DescribedProcedure[]
  readonly types: readonly NamedType[]
}
