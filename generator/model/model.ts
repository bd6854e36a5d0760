// The model: all procedures and their types as plain data, which outputs are made from and `--model` prints:
//
//   function add(a: Int): Int  →  { name: 'add', params: [{ name: 'a', type: { kind: 'int' } }], returns: { type: { kind: 'int' } }, … }
import type {
  DescribedError,
  DescribedExample,
  NamedType as DescribedName,
  DescribedParam,
  DescribedProcedure,
  DescribedType,
  ProcedureMeta,
} from '../../runtime/description/description.js'
import type { AuthArgument, AuthScheme } from '../../runtime/description/security.js'

export type { NameRef } from '../../runtime/description/description.js'
export type { AuthArgument, AuthScheme } from '../../runtime/description/security.js'
export type { EnumConstant, Notes, ValueNotes } from '../../runtime/values/types.js'

/** The form of a type on the wire, with other types by name. */
export type ModelType = DescribedType

export type Kind = ModelType['kind']

/** The types of one kind. */
export type OfKind<K extends Kind> = Extract<ModelType, { readonly kind: K }>

/** Placeholder for a type that was rejected, or is not yet known. It is in no finished model. */
export const placeholderType: ModelType & { readonly isPlaceholder: true } = { kind: 'any', isPlaceholder: true }

export function isPlaceholder(type: ModelType): boolean {
  return 'isPlaceholder' in type
}

/** How TypeScript refers to a type: the export to import, and its module. */
export interface Declared {
  /** The module's path on disk, relative to the folder of the generated file. */
  readonly module: string
  /** The exported name. */
  readonly name: string
  /** The member, if the type is one member of an enum. */
  readonly member?: string
}

/** A type that is written once and referred to by name. */
export interface NamedType extends DescribedName {
  /** Absent if the generated file cannot import it: not exported, generic, or without a name in the source. */
  readonly declared?: Declared
  /** The members of its brand: a type without them would be wider. */
  readonly brand?: readonly BrandMember[]
}

/** A member that no value has, which makes a type a separate one: keyed by a name or by a symbol. */
export interface BrandMember {
  readonly name?: string
  readonly symbol?: BrandSymbol
  readonly optional?: boolean
  /** Its type as TypeScript: a text that refers to no declaration, or the type of a symbol. */
  readonly text?: string
  readonly valueSymbol?: BrandSymbol
}

/** A unique symbol: its module, and its name after those of the declarations that contain it. */
export interface BrandSymbol {
  readonly module: string
  readonly path: string
}

/** One parameter on the wire. */
export interface ParamModel extends DescribedParam {
  /** True for an element of a tuple that is the rest parameter: if omitted, it is absent, not undefined. */
  readonly element?: boolean
}

/** The result of a procedure. */
export interface ReturnsModel {
  readonly type: ModelType
  readonly doc?: string
  /** The declared result: not a promise, a Promise, or a type that may be or become one. */
  readonly promise: 'no' | 'yes' | 'maybe'
}

/** An error that the docs declare. */
export type ThrowsModel = DescribedError

/** A call in an `@example`. */
export type ExampleModel = DescribedExample

/** The docs of one signature of an overloaded function, with the names of the source. */
export interface OverloadDocs {
  readonly description: string
  readonly params: readonly { readonly name: string; readonly doc: string }[]
  readonly returns?: string
}

/** One signature of an overloaded function. */
export interface OverloadModel {
  readonly params: readonly ParamModel[]
  /** Its own docs, for clients: the other outputs have those of all signatures. */
  readonly docs?: OverloadDocs
  readonly returns: Pick<ReturnsModel, 'type' | 'promise'>
}

/** An exported predicate; with arguments, an exported function that makes one. */
export interface PredicateModel extends Declared {
  readonly args?: readonly AuthArgument[]
  /** How callers identify themselves to it, from `defineAuth`. */
  readonly scheme?: AuthScheme
}

/**
 * The rules that all have to authorise callers: each is a list of predicates, of which one has to. `inherited`, as the first one,
 * represents the auth of the namespace or the server. Or `public`.
 */
export type AuthModel = readonly ('inherited' | readonly PredicateModel[])[] | 'public'

/** One procedure, independent of how it is printed. */
export interface ProcedureModel extends DescribedProcedure {
  /** The module's path on disk, relative to the folder of the generated file. */
  readonly module: string
  /** The export: the function, or its class. */
  readonly export: string
  /** The static method of that class. */
  readonly member?: string
  readonly params: readonly ParamModel[]
  /** The result of `system.methodHelp`. */
  readonly help: string
  /** The signatures of an overloaded function in order; `params` and `returns` combine all of them. */
  readonly overloads?: readonly OverloadModel[]
  /** The positions, among all parameters of the function, at which the server passes the context. */
  readonly contextAt: readonly number[]
  readonly returns: ReturnsModel
  readonly throws?: readonly ThrowsModel[]
  readonly auth?: AuthModel
  /** Limits of a call: its time in milliseconds and its request body in bytes (`@timeout`, `@maxBody`). */
  readonly timeoutMs?: number
  readonly bodyBytes?: number
  /** True if it is not marked `@rpc`: it is registered by hand, and not in the generated `procedures`. */
  readonly registered?: boolean
  /** True if its module is one of RPC_METHODS_MODULES. */
  readonly legacy?: boolean
}

/** What the doc tags of a procedure, or of its module, specify. */
export type TagMeta = Omit<ProcedureMeta, 'paramsObject' | 'subscription' | 'throws' | 'examples'> &
  Pick<ProcedureModel, 'timeoutMs' | 'bodyBytes'>

/** True for a procedure that is marked `@rpc`, which the generated module serves; others are registered by hand. */
export function isServed({ registered }: ProcedureModel): boolean {
  return !registered
}

/** The generator's complete result: plain, sorted, serialisable. */
export interface Model {
  readonly version: 1
  /** By file, then position. */
  readonly procedures: readonly ProcedureModel[]
  /** In the order of first use. */
  readonly types: readonly NamedType[]
}

/** The model of what the generated module serves. */
export function servedModel(model: Model): Model {
  return { ...model, procedures: model.procedures.filter(isServed) }
}
