import type { Constraints } from '../schema/constraints.js'

/** Kinds that stand alone: their name says all about them. */
export type ScalarKind =
  | 'int'
  | 'double'
  | 'number'
  | 'string'
  | 'boolean'
  | 'date'
  | 'url'
  | 'null'
  | 'undefined'
  | 'void'
  | 'any'

/** What every type may have. */
export interface Constrained {
  /** Limits that doc comments set. */
  readonly constraints?: Constraints
  /** Its name in schemas and docs, in a generated module. */
  readonly id?: string
  /** True where the source has no name for it, and `id` was made from the place. */
  readonly unnamed?: boolean
  /** What its own doc comment says, in a generated module. */
  readonly doc?: string
  /** The type with a name that this one limits further, in a generated module. */
  readonly limits?: { readonly type: WireType; readonly constraints: Constraints }
}

/** A type without parts. */
export interface ScalarType extends Constrained {
  readonly kind: ScalarKind
}

/** An integer of any size; `value` is set, in decimal, where it is a literal: JSON has no bigint. */
export interface BigintType extends Constrained {
  readonly kind: 'bigint'
  readonly value?: string
}

/** Binary data, and the class that the procedure wants it in. */
export interface BytesType extends Constrained {
  readonly kind: 'bytes'
  readonly as: BytesClass
}

/** What a procedure may declare binary data as. */
export type BytesClass = 'Uint8Array' | 'Buffer' | 'ArrayBuffer'

/** Exactly one value: a literal type or an enum member. */
export interface LiteralType extends Constrained {
  readonly kind: 'literal'
  readonly value: string | number | boolean
}

/** A string that a template literal type describes; `pattern` is the source of an anchored regular expression. */
export interface TemplateType extends Constrained {
  readonly kind: 'template'
  readonly text: string
  readonly pattern: string
}

/** `T[]`, `ReadonlyArray<T>`. */
export interface ArrayType<Ref> extends Constrained {
  readonly kind: 'array'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** `Set<T>`: an array on the wire. */
export interface SetType<Ref> extends Constrained {
  readonly kind: 'set'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** A tuple: `elements`, of which the last ones may be optional, then any number of `rest`. */
export interface TupleType<Ref> extends Constrained {
  readonly kind: 'tuple'
  readonly elements: readonly WireTypeOf<Ref>[]
  /** How many of the elements must be there. */
  readonly required: number
  readonly rest?: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** An object with named members; `rest` is the type of an index signature beside them. */
export interface StructType<Ref> extends Constrained {
  readonly kind: 'struct'
  /** As the source calls it, for errors; absent where it has no name. */
  readonly name?: string
  readonly members: readonly MemberOf<Ref>[]
  readonly rest?: WireTypeOf<Ref>
  /** Which names `rest` is for; all that are not declared when absent. Others are undeclared members. */
  readonly keys?: Keys
}

/** The names of an index signature: as TypeScript writes them, and as the source of an anchored regular expression. */
export interface Keys {
  readonly text: string
  readonly pattern: string
}

/** One declared member of a struct. */
export interface MemberOf<Ref> {
  readonly name: string
  readonly type: WireTypeOf<Ref>
  readonly optional?: boolean
  /** What its doc comment says. */
  readonly doc?: string
}

/** `Map<string, T>`: a struct on the wire. */
export interface MapType<Ref> extends Constrained {
  readonly kind: 'map'
  readonly value: WireTypeOf<Ref>
  /** Declared readonly, which matters to TypeScript only. */
  readonly readonly?: boolean
}

/** One of several; `discriminant` is the member whose literal tells structs apart, where there is one. */
export interface UnionType<Ref> extends Constrained {
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
  | BigintType
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
export interface LazyType extends Constrained {
  readonly kind: 'ref'
  readonly name: string
  readonly type: () => WireType
}

/** The wire types of a generated module. */
export type WireType = WireTypeOf<LazyType>
/** One declared member of a struct, as a generated module has it. */
export type Member = MemberOf<LazyType>

declare const intTag: unique symbol
declare const doubleTag: unique symbol

/**
 * A 32-bit signed integer: `<int>` in XML-RPC, an integral number in JSON.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast. The result of `a + b` is a
 * `number` again: annotate results that shall stay `Int`.
 *
 * @example
 * export function add(a: Int, b: Int): Int {
 *   return a + b
 * }
 */
export type Int = number & { readonly [intTag]?: true }

/**
 * A finite double: always `<double>` in XML-RPC, also when its value happens to be integral.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast.
 */
export type Double = number & { readonly [doubleTag]?: true }

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

/** One parameter that travels; a parameter of type RpcContext is not among them. */
export type Param = ParamOf<WireType>

/** The parameter that takes the argument at a position; undefined where there is none. */
export function paramAt(params: readonly Param[], index: number): Param | undefined {
  const last = params.at(-1)
  return params[index] ?? (last?.rest ? last : undefined)
}

/** What that argument is called in an error: `name`, or `names[2]` of a rest parameter. */
export function argumentName(params: readonly Param[], index: number): string | undefined {
  const param = paramAt(params, index)
  return param?.rest ? `${param.name}[${index - params.length + 1}]` : param?.name
}
