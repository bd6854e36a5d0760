import type { Auth } from './auth.js'
import type { RpcContext } from './context.js'
import type { ProtocolName } from './protocol.js'
import type { Wire } from './wire.js'

/** Kinds that stand alone: their name says all about them. */
export type ScalarKind =
  | 'int'
  | 'double'
  | 'number'
  | 'bigint'
  | 'string'
  | 'boolean'
  | 'date'
  | 'null'
  | 'undefined'
  | 'void'
  | 'any'

/** A type without parts. */
export interface ScalarType {
  readonly kind: ScalarKind
}

/** Binary data, and the class that the procedure wants it in. */
export interface BytesType {
  readonly kind: 'bytes'
  readonly as: BytesClass
}

/** What a procedure may declare binary data as. */
export type BytesClass = 'Uint8Array' | 'Buffer' | 'ArrayBuffer'

/** Exactly one value: a literal type or an enum member. */
export interface LiteralType {
  readonly kind: 'literal'
  readonly value: string | number | boolean
}

/** A string that a template literal type describes; `pattern` is the source of an anchored regular expression. */
export interface TemplateType {
  readonly kind: 'template'
  readonly text: string
  readonly pattern: string
}

/** `T[]`, `ReadonlyArray<T>`. */
export interface ArrayType<Ref> {
  readonly kind: 'array'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** `Set<T>`: an array on the wire. */
export interface SetType<Ref> {
  readonly kind: 'set'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** A tuple: `elements`, of which the last ones may be optional, then any number of `rest`. */
export interface TupleType<Ref> {
  readonly kind: 'tuple'
  readonly elements: readonly WireTypeOf<Ref>[]
  /** How many of the elements must be there. */
  readonly required: number
  readonly rest?: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** An object with named members; `rest` is the type of an index signature beside them. */
export interface StructType<Ref> {
  readonly kind: 'struct'
  /** As the source calls it, for errors; absent where it has no name. */
  readonly name?: string
  readonly members: readonly MemberOf<Ref>[]
  readonly rest?: WireTypeOf<Ref>
}

/** One declared member of a struct. */
export interface MemberOf<Ref> {
  readonly name: string
  readonly type: WireTypeOf<Ref>
  readonly optional?: boolean
}

/** `Map<string, T>`: a struct on the wire. */
export interface MapType<Ref> {
  readonly kind: 'map'
  readonly value: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** One of several; `discriminant` is the member whose literal tells structs apart, where there is one. */
export interface UnionType<Ref> {
  readonly kind: 'union'
  readonly branches: readonly WireTypeOf<Ref>[]
  readonly discriminant?: string
}

/**
 * What a type means on the wire: a closed union tagged by `kind`. `Ref` is how a type names another one: by name in the
 * generator's model, by a function in the generated module, where it closes a recursion.
 */
export type WireTypeOf<Ref> =
  | ScalarType
  | BytesType
  | LiteralType
  | TemplateType
  | ArrayType<Ref>
  | SetType<Ref>
  | TupleType<Ref>
  | StructType<Ref>
  | MapType<Ref>
  | UnionType<Ref>
  | Ref

/** A reference to a type that is declared further down, or that contains itself. */
export interface LazyType {
  readonly kind: 'ref'
  readonly name: string
  readonly type: () => WireType
}

/** The wire types of a generated module. */
export type WireType = WireTypeOf<LazyType>
/** One declared member of a struct, as a generated module has it. */
export type Member = MemberOf<LazyType>

/** One parameter that travels; a parameter of type RpcContext is not among them. */
export interface Param {
  readonly name: string
  readonly type: WireType
  /** It may be left out, at the end or by name; null stands for left out unless its type has null. */
  readonly optional?: boolean
  /** It takes all arguments from its position on; `type` is the type of one of them. */
  readonly rest?: boolean
  readonly doc?: string
}

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
export interface Procedure {
  /** The public name, for instance `user.create`. */
  readonly name: string
  /** What `system.methodHelp` answers; `''` where there are no docs. */
  readonly help: string
  /** What `system.methodSignature` answers: one signature per number of arguments. */
  readonly signatures: readonly Signature[]
  readonly params: readonly Param[]
  readonly returns: Returns
  /** Protocols that may call it; all of them when absent. */
  readonly protocols?: readonly ProtocolName[]
  /** Who may call it; undefined leaves it to the level above. */
  readonly auth?: Auth
  /** Set when a newer name should be called instead. */
  readonly deprecated?: boolean
  /** True when its module is one of RPC_METHODS_MODULES: the older generation serves it in every entry point. */
  readonly pickedUp?: boolean
  /** True when `invoke` reads its context. */
  readonly context?: boolean
  /** Turns wire values into the TypeScript values that `accepts` looks at; total: what it cannot turn stays. */
  readonly revive?: (args: readonly unknown[], wire: Wire) => readonly unknown[]
  /** Whether these arguments are what the procedure declares. */
  readonly accepts: (args: readonly unknown[]) => boolean
  readonly invoke: (args: readonly unknown[], context: RpcContext) => unknown
  /** Turns the awaited result into wire values, or answers `unfit`. */
  readonly lower: (result: unknown, wire: Wire) => unknown
}

/** Procedures by name. */
export type Manifest<Name extends string = string> = Readonly<Record<Name, Procedure>>
