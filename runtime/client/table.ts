/** Types without inner types. */
export type ClientScalar =
  /** Unchanged. */
  | 'any'
  /** Date, Uint8Array, bigint, URL. */
  | 'date'
  | 'bytes'
  | 'bigint'
  | 'url'
  /** Unchanged; they distinguish the branches of a union. `undefined` is null on the wire. */
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'undefined'
  /** No value: a tuple without further elements. */
  | 'never'

/**
 * Required members, optional members, and all others: their type, or types by the pattern of their names, the last match of which
 * decides. Members that are not listed are unchanged.
 */
export type ClientStruct = readonly [
  'struct',
  ClientMembersTable,
  ClientMembersTable?,
  others?: ClientType | ClientMembersTable,
]

/** Elements, the type of further ones, and the number of required ones. */
export type ClientTuple = readonly ['tuple', elements: readonly ClientType[], rest?: ClientType, required?: number]

/** The first branch that a value matches; with a discriminant, the branch whose literal that member has. */
export type ClientUnion = readonly ['union', readonly ClientType[], string?]

/** A custom scalar, by the name of its codec, and what is sent. */
export type ClientCustom = readonly ['custom', codec: string, ClientType]

/**
 * How a value is sent, as plain data: only what JSON cannot represent, and what distinguishes the branches of a union.
 * A type without such values is `any`. A member called `__proto__` is written `['__proto__']: …`.
 */
export type ClientType =
  | ClientScalar
  /** Exactly one value. */
  | readonly ['is', string | number | boolean]
  /** A string that an anchored regular expression matches: a template literal type. */
  | readonly ['template', pattern: string]
  | readonly ['array', ClientType]
  | readonly ['set', ClientType]
  /** A Map whose keys are strings, or numbers: an object on the wire. */
  | readonly ['map', ClientType, 'number'?]
  /**
   * The types of the elements, the type of all further ones, and how many elements are required. A null for an optional element
   * is decoded to undefined, unless its type accepts null, as `any` does. In a union the length has to match: all elements, or the
   * required ones.
   */
  | ClientTuple
  | ClientStruct
  | ClientUnion
  | ClientCustom
  /** One of the table's types. */
  | readonly ['ref', string]

/** Types of members by name. */
export type ClientMembersTable = Readonly<Record<string, ClientType>>

/** The parameters, the result and the properties of a procedure. */
export interface ClientMethod {
  /** The parameters in order, as far as one of them needs converting. */
  readonly params?: ClientMembersTable
  /** True if the params object is the only argument. */
  readonly object?: boolean
  /** The rest parameter. */
  readonly rest?: readonly [name: string, type: ClientType]
  readonly result?: ClientType
  /** The type of the items of a subscription. */
  readonly items?: ClientType
  /** The data of declared errors by their code, where it needs converting. */
  readonly errors?: Readonly<Record<string, ClientType>>
  /** True if it may be sent again although it may have run. */
  readonly idempotent?: boolean
}

/** The data from which a client converts values. Procedures with nothing to convert are omitted. */
export interface ClientTable {
  readonly methods: Readonly<Record<string, ClientMethod>>
  readonly types?: Readonly<Record<string, ClientType>>
}
