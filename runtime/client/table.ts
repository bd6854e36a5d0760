/** Types without parts. */
export type ClientScalar =
  /** Unchanged. */
  | 'any'
  /** Date, Uint8Array, bigint, URL. */
  | 'date'
  | 'bytes'
  | 'bigint'
  | 'url'
  /** Unchanged; needed in unions. `undefined` is null on the wire. */
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'undefined'
  /** No value: the rest of a tuple that ends. */
  | 'never'

/** Required members, optional members, and all others. Members that are not listed are unchanged. */
export type ClientStruct = readonly ['struct', ClientMembersTable, ClientMembersTable?, ClientType?]

/** Elements, the type of further ones, and the number of required ones. */
export type ClientTuple = readonly ['tuple', elements: readonly ClientType[], rest?: ClientType, required?: number]

/** The first branch that a value fits; with a discriminant, the one whose literal the value has there. */
export type ClientUnion = readonly ['union', readonly ClientType[], string?]

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
   * Elements one by one, any of which may be missing at the end, then any number of one type. With `required`, how many
   * have to be there, null for one of the others comes as undefined unless its type takes null, as `any` does. In a union
   * the length has to be right: all elements, or those that are required.
   */
  | ClientTuple
  | ClientStruct
  | ClientUnion
  /** A custom scalar, by the name of its codec, and what is sent. */
  | readonly ['custom', codec: string, ClientType]
  /** One of the table's types. */
  | readonly ['ref', string]

/** Types of members by name. */
export type ClientMembersTable = Readonly<Record<string, ClientType>>

/** How a procedure is called. */
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
  /** True if it may be sent again although it may have run. */
  readonly idempotent?: boolean
}

/** What a generated client knows at run time. Procedures with all defaults are left out. */
export interface ClientTable {
  readonly methods: Readonly<Record<string, ClientMethod>>
  readonly types?: Readonly<Record<string, ClientType>>
}
