// Types of values as plain data, named by their kind: `{ id: Int; tags?: string[] }` is a struct with the members `id` of kind `int`, and
// `tags`, an array of kind `string`, which is optional.
import type { Constraints } from './constraints.js'
import type { PathSegment } from './issue.js'
import type { ScalarSchema } from './scalar-codec.js'

/** Kinds without further properties. */
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

/** The docs of a type, a member, a parameter or a value of an enum. */
export interface Notes {
  /** The text of its doc comment, without `@deprecated`. */
  readonly doc?: string
  /** True if callers should use something else. */
  readonly deprecated?: boolean
  /** The text of `@deprecated`. */
  readonly deprecation?: string
}

/** The docs of a member or a parameter. */
export interface ValueNotes extends Notes {
  /** The value that an omitted one has, as JSON. */
  readonly default?: unknown
}

/** The name of a value of an enum. */
export interface EnumConstant extends Notes {
  readonly name: string
  readonly value: string | number
}

/** The docs of a type. */
export interface TypeNotes extends Notes {
  /** The names of the values of an enum, in the order of their declaration. */
  readonly constants?: readonly EnumConstant[]
}

/** Properties that every type may have. */
export interface Constrained {
  /** Limits from doc comments, such as `@minimum`. */
  readonly constraints?: Constraints
  /** The alias in the source of a type with constraints or of a template; set while a module is generated. */
  readonly alias?: string
  /** The name in schemas and docs; set in generated modules. */
  readonly id?: string
  /** True if the source has no name for the type; `id` was then derived from its location. */
  readonly unnamed?: boolean
  /** The docs of the type; set in generated modules. */
  readonly notes?: TypeNotes
  /** The named type that this one constrains further; set in generated modules. */
  readonly limits?: { readonly type: WireType; readonly constraints: Constraints }
}

/** A type without inner types. */
export interface ScalarType extends Constrained {
  readonly kind: ScalarKind
}

/** An integer of any size. For a literal, `value` is set, as decimal text, since JSON has no bigint. */
export interface BigintType extends Constrained {
  readonly kind: 'bigint'
  readonly value?: string
}

/** Binary data, in the class that the procedure declares. */
export interface BytesType extends Constrained {
  readonly kind: 'bytes'
  readonly as: BytesClass
}

/** The classes that a procedure may declare for binary data. */
export type BytesClass = 'Uint8Array' | 'Buffer' | 'ArrayBuffer'

/** Exactly one value: a literal type or an enum member. */
export interface LiteralType extends Constrained {
  readonly kind: 'literal'
  readonly value: string | number | boolean
}

/** A template literal type; `pattern` is the source of an anchored regular expression. */
export interface TemplateType extends Constrained {
  readonly kind: 'template'
  readonly text: string
  readonly pattern: string
}

/** `T[]`, `ReadonlyArray<T>`. */
export interface ArrayType<Ref> extends Constrained {
  readonly kind: 'array'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly; only TypeScript distinguishes it. */
  readonly readonly?: boolean
}

/** `Set<T>`: an array on the wire. */
export interface SetType<Ref> extends Constrained {
  readonly kind: 'set'
  readonly element: WireTypeOf<Ref>
  /** Declared readonly; only TypeScript distinguishes it. */
  readonly readonly?: boolean
}

/** A tuple: `elements`, the last of which may be optional, then any number of `rest`. */
export interface TupleType<Ref> extends Constrained {
  readonly kind: 'tuple'
  readonly elements: readonly WireTypeOf<Ref>[]
  /** The number of required elements. */
  readonly required: number
  readonly rest?: WireTypeOf<Ref>
  /** Names of the elements, that of the rest last, `''` for none; for TypeScript only. */
  readonly labels?: readonly string[]
  /** Declared readonly; only TypeScript distinguishes it. */
  readonly readonly?: boolean
}

/** An object with named members and index signatures. */
export interface StructType<Ref> extends Constrained {
  readonly kind: 'struct'
  /** The name in the source, for errors; absent if it has none. */
  readonly name?: string
  readonly members: readonly MemberOf<Ref>[]
  /** Every key that is not declared has the types of all index signatures that it matches; without one it is unknown. */
  readonly indexes?: readonly IndexOf<Ref>[]
}

/** An index signature. One without keys matches every key, and is the first. */
export interface IndexOf<Ref> {
  readonly type: WireTypeOf<Ref>
  readonly keys?: Keys
}

/** The keys of an index signature: as TypeScript text, and as the source of an anchored regular expression. */
export interface Keys {
  readonly text: string
  readonly pattern: string
  /** The keys of a Map that are numbers to TypeScript; on the wire they are the texts that JavaScript has for them. */
  readonly numeric?: 'int' | 'number'
}

/** One declared member of a struct. */
export interface MemberOf<Ref> extends ValueNotes {
  readonly name: string
  readonly type: WireTypeOf<Ref>
  readonly optional?: boolean
}

/** `Map<string, T>`: a struct on the wire. */
export interface MapType<Ref> extends Constrained {
  readonly kind: 'map'
  /** The keys, where they are not any text. Others are rejected. */
  readonly keys?: Keys
  readonly value: WireTypeOf<Ref>
  /** Declared readonly; only TypeScript distinguishes it. */
  readonly readonly?: boolean
}

/** A union; `discriminant` is the member whose literal type differs in every struct, if there is one. */
export interface UnionType<Ref> extends Constrained {
  readonly kind: 'union'
  readonly branches: readonly WireTypeOf<Ref>[]
  readonly discriminant?: string
}

/** A custom scalar: a TypeScript value that a codec converts from and to another type, which is sent. */
export interface CustomType<Ref> extends Constrained {
  readonly kind: 'custom'
  /** The name in the configuration. */
  readonly name: string
  readonly wire: WireTypeOf<Ref>
  readonly schema?: ScalarSchema
  /** The module and the export of the codec; set in the generator's model. */
  readonly codec?: { readonly module: string; readonly name: string }
}

/**
 * A type as it is on the wire, a union discriminated by `kind`. `Ref` is a reference to another type: its name in the
 * generator's model, a function in a generated module.
 *
 * @example `{ id: number }`: `{ kind: 'struct', members: [{ name: 'id', type: { kind: 'number' } }] }`
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
  | CustomType<Ref>
  | Ref

/** A reference to a type that is declared later, or that contains itself. */
export interface LazyType extends Constrained {
  readonly kind: 'ref'
  readonly name: string
  readonly type: () => WireType
}

/** The wire types of a generated module. */
export type WireType = WireTypeOf<LazyType>
/** One declared member of a struct of a generated module. */
export type Member = MemberOf<LazyType>

declare const intTag: unique symbol
declare const doubleTag: unique symbol

/** What makes a number an `Int`. It is exported so that declarations can name it. */
export type IntTag = { readonly [intTag]?: true }

/** What makes a number a `Double`. It is exported so that declarations can name it. */
export type DoubleTag = { readonly [doubleTag]?: true }

/**
 * A 32-bit signed integer: `<int>` in XML-RPC, an integral number in JSON.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast. The result of `a + b` is a
 * `number` again: annotate results that should remain `Int`.
 *
 * @example
 * export function add(a: Int, b: Int): Int {
 *   return a + b
 * }
 */
export type Int = number & IntTag

/**
 * A finite double: always `<double>` in XML-RPC, also when its value happens to be integral.
 *
 * It is an ordinary `number` to TypeScript, in both directions and without a cast.
 */
export type Double = number & DoubleTag

/**
 * The data of a class or interface: its public members without its methods and members that are functions. An instance is assignable to
 * it, and a procedure that declares it as a parameter receives a plain object.
 *
 * @example
 * export function find(id: Int): Data<User>
 */
export type Data<T> = {
  [K in keyof T as NonNullable<T[K]> extends (...args: never) => unknown ? never : K]: T[K]
}

/** Returns the types that a type directly contains; none for a reference. */
export function innerTypesOf<Ref extends { readonly kind: 'ref' }>(type: WireTypeOf<Ref>): readonly WireTypeOf<Ref>[] {
  switch (type.kind) {
    case 'array':
    case 'set':
      return [type.element]
    case 'map':
      return [type.value]
    case 'tuple':
      return [...type.elements, ...(type.rest ? [type.rest] : [])]
    case 'struct':
      return [...type.members, ...(type.indexes ?? [])].map((inner) => inner.type)
    case 'union':
      return type.branches
    case 'custom':
      return [type.wire]
    default:
      return []
  }
}

/** Parameters by position or by name. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>

/** One parameter that callers send; a parameter of type RpcContext is not one of them. */
export interface ParamOf<Type> extends ValueNotes {
  readonly name: string
  readonly type: Type
  /** Callers may omit it, at the end or by name; null counts as omitted unless the type includes null. */
  readonly optional?: boolean
  /** A rest parameter; `type` is the type of one argument. */
  readonly rest?: boolean
}

/** One parameter of a compiled procedure. */
export type Param = ParamOf<WireType>

/** Returns the parameter for the argument at an index, or undefined if there are too many arguments. */
export function paramAt<Type>(params: readonly ParamOf<Type>[], index: number): ParamOf<Type> | undefined {
  const last = params.at(-1)
  return params[index] ?? (last?.rest ? last : undefined)
}

/** Returns the path of an argument in errors: `['name']`, or `['names', 2]` for a rest parameter; its index if it has no name. */
export function argumentPath(params: readonly Param[], index: number): readonly PathSegment[] {
  const param = paramAt(params, index)
  if (!param) return [index]
  return param.rest ? [param.name, index - params.length + 1] : [param.name]
}
