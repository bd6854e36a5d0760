import type { ProcedureMeta } from '../schema/description.js'
import type { Auth } from '../server/auth.js'
import type { Param, WireType } from '../values/types.js'
import type { RpcContext } from './context.js'
import type { Wire } from './wire.js'

/** What a procedure answers: the awaited result. */
export interface Returns {
  readonly type: WireType
  readonly doc?: string
}

/** Type names as `system.methodSignature` gives them: the result first, then the parameters. */
export type Signature = readonly [returns: string, ...params: string[]]

/** The answer of `lower` for a value that its declared type cannot carry. */
export const unfit: unique symbol = Symbol('rpc-gen.unfit')

/** One remote procedure: what the server needs to serve, check and describe it. */
export interface Procedure extends ProcedureMeta {
  /** The public name, for instance `user.create`. */
  readonly name: string
  /** What `system.methodHelp` answers; `''` where there are no docs. */
  readonly help: string
  /** What `system.methodSignature` answers: one signature per number of arguments. */
  readonly signatures: readonly Signature[]
  readonly params: readonly Param[]
  /** Where the function is overloaded, the parameters of each overload; `params` has what any of them takes. */
  readonly overloads?: readonly (readonly Param[])[]
  readonly returns: Returns
  /** Who may call it; absent leaves it to the namespace or the server. */
  readonly auth?: Auth
  /** Milliseconds that a call may take, in place of `limits.timeoutMs`. */
  readonly timeoutMs?: number
  /** Bytes of the request body, in place of `limits.bodyBytes`. */
  readonly bodyBytes?: number
  /** True when its module is one of RPC_METHODS_MODULES: the older generation serves it in every entry point. */
  readonly pickedUp?: boolean
  /** True when `invoke` reads its context. */
  readonly context?: boolean
  /** True when `system.listMethods` leaves it out. */
  readonly unlisted?: boolean
  /** True when it only runs other calls, each of which has a time of its own. */
  readonly untimed?: boolean
  /** Turns wire values into the TypeScript values that `accepts` looks at; total: what it cannot turn stays. */
  readonly revive?: (args: readonly unknown[], wire: Wire) => readonly unknown[]
  /** Whether these arguments are what the procedure declares. */
  readonly accepts: (args: readonly unknown[]) => boolean
  readonly invoke: (args: readonly unknown[], context: RpcContext) => unknown
  /** Turns the awaited result into wire values, or answers `unfit`. */
  readonly lower: (result: unknown, wire: Wire) => unknown
}

declare const typesOf: unique symbol

/** A procedure, and the types of its function, of that as JSON carries it, and of its parameters by name. */
export interface TypedProcedure<Fn, JsonFn, Params> extends Procedure {
  /** For types only. */
  readonly [typesOf]?: { readonly fn: Fn; readonly json: JsonFn; readonly params: Params }
}

/** Procedures by name; the interfaces of the generated module give them their types. */
export type Manifest<Name extends string = string, Fns = unknown, JsonFns = unknown, Params = unknown> = {
  readonly [K in Name]: TypedProcedure<TypeOf<Fns, K>, TypeOf<JsonFns, K>, TypeOf<Params, K>>
}

type TypeOf<Interface, Name> = Name extends keyof Interface ? Interface[Name] : unknown
