import type {
  DescribedError,
  DescribedExample,
  NamedType as DescribedName,
  DescribedParam,
  DescribedProcedure,
  DescribedType,
} from '../../runtime/schema/description.js'
import type { Position } from '../diagnostic.js'

export type { NameRef } from '../../runtime/schema/description.js'

/** What a type means on the wire, other types by name. */
export type ModelType = DescribedType

/** How TypeScript can name a type: what to import, and from where. */
export interface Declared {
  /** The module, relative to the generated file's folder, as it stands on disk. */
  readonly module: string
  /** The exported name. */
  readonly name: string
  /** The member, where the type is one member of an enum. */
  readonly member?: string
}

/** A type that is written once and referred to by name. */
export interface NamedType extends DescribedName {
  /** Absent where the generated file cannot import it: not exported, generic, or without a name in the source. */
  readonly declared?: Declared
  /** True when it has no name in the source and a brand: written out with its members it would be a wider type. */
  readonly branded?: boolean
}

/** One parameter on the wire. */
export interface ParamModel extends DescribedParam {
  /** It is an element of a tuple that the function takes as its rest: left out, it is not there, and no undefined either. */
  readonly element?: boolean
}

/** What a procedure answers. */
export interface ReturnsModel {
  readonly type: ModelType
  readonly doc?: string
  /** Whether the source declares a promise of it: never, a Promise, or something that may be or become one. */
  readonly promise: 'no' | 'yes' | 'maybe'
}

/** An error that the docs declare. */
export interface ThrowsModel extends DescribedError {
  /** The type of its data, where its class names one. */
  readonly data?: ModelType
}

/** A call that the docs show. */
export type ExampleModel = DescribedExample

/** One signature of an overloaded function. */
export interface OverloadModel {
  readonly params: readonly ParamModel[]
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
}

/** The predicates that authorise callers, which the generated file imports; or everyone. */
export type AuthModel = readonly Declared[] | 'public'

/** One procedure: all that is known of it, and nothing of how it will be printed. */
export interface ProcedureModel extends DescribedProcedure {
  /** The module to import, relative to the generated file's folder, as it stands on disk. */
  readonly module: string
  /** The name that the module exports it by, or its class. */
  readonly export: string
  /** The static method of that class. */
  readonly member?: string
  readonly params: readonly ParamModel[]
  /** What `system.methodHelp` answers. */
  readonly help: string
  /** The signatures of an overloaded function, in their order; `params` and `returns` have what any of them has. */
  readonly overloads?: readonly OverloadModel[]
  /** The positions, among all parameters of the function, that the server fills with the context. */
  readonly contextAt: readonly number[]
  readonly returns: ReturnsModel
  readonly throws?: readonly ThrowsModel[]
  readonly auth?: AuthModel
  /** Milliseconds that a call may take, and bytes of its request body: `@timeout`, `@maxBody`. */
  readonly timeoutMs?: number
  readonly bodyBytes?: number
  /** True when it is not marked `@rpc`: compiled for who registers it, and not in the generated `procedures`. */
  readonly registered?: boolean
  /** True when its module is one of RPC_METHODS_MODULES. */
  readonly pickedUp?: boolean
}

/** Everything the generator knows: plain, sorted, serialisable. */
export interface Model {
  readonly version: 1
  /** By file, then position. */
  readonly procedures: readonly ProcedureModel[]
  /** In the order of first use. */
  readonly types: readonly NamedType[]
}

/** Where each procedure stands in its source; kept beside the model, since positions are not part of it. */
export type Positions = ReadonlyMap<ProcedureModel, Position>
