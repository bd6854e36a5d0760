/** An index of a list, or the name of a member. */
export type PathSegment = number | string

/** What a value should be, for the code `type`: a kind of value, or the name of a [custom scalar](../../guide/scalars.md). */
export type IssueType =
  | 'int'
  | 'double'
  | 'number'
  | 'integer'
  | 'string'
  | 'boolean'
  | 'date'
  | 'URL'
  | 'base64'
  | 'null'
  | 'array'
  | 'object'
  | 'Set'
  | 'Map'
  | (string & {})

/** The value of a literal type. */
export type IssueValue = string | number | boolean | null

/**
 * The codes of issues, each with its `limit`. They are the keywords of JSON Schema, and do not change. The limit is undefined if the
 * declared text is too long for an error, and never for a code whose limit is a number.
 */
export interface IssueLimits {
  /** The value is missing. No limit. */
  readonly required: undefined
  /** The value is of another kind; the limit is the expected kind, or a list of several. */
  readonly type: IssueType | readonly IssueType[] | undefined
  /** The value is not the only allowed one, which is the limit. */
  readonly const: IssueValue | undefined
  /** The value is none of the allowed ones, which are the limit. */
  readonly enum: readonly IssueValue[] | undefined
  /** The value matches no type of a union, for several reasons. No limit. */
  readonly anyOf: undefined
  /** The number is less than the limit. */
  readonly minimum: number
  /** The number is greater than the limit. */
  readonly maximum: number
  /** The number is not greater than the limit. */
  readonly exclusiveMinimum: number
  /** The number is not less than the limit. */
  readonly exclusiveMaximum: number
  /** The number is not a multiple of the limit. */
  readonly multipleOf: number
  /** The string has fewer characters than the limit. */
  readonly minLength: number
  /** The string has more characters than the limit. */
  readonly maxLength: number
  /** The string does not match the limit, the source of a regular expression. */
  readonly pattern: string | undefined
  /** The string is not in the format that the limit names: `email`, `date-time`. */
  readonly format: string | undefined
  /** The list has fewer elements than the limit. */
  readonly minItems: number
  /** The list has more elements than the limit; with an empty path, there are more parameters. */
  readonly maxItems: number
  /** The list has equal elements. The limit is `true`. */
  readonly uniqueItems: true
  /** The last segment of the path is the name of a parameter or member that is not declared. No limit. */
  readonly additionalProperties: undefined
  /** The object at the path has a key that does not match the limit, the source of a regular expression, if there is one. */
  readonly propertyNames: string | undefined
}

/** The code of an issue: `'required'`, `'minimum'`. */
export type IssueCode = keyof IssueLimits

/** A code with its limit: which rule a value does not meet. */
export type IssueRule<Code extends IssueCode = IssueCode> = Code extends IssueCode
  ? { readonly code: Code } & (undefined extends IssueLimits[Code]
      ? { readonly limit?: Exclude<IssueLimits[Code], undefined> }
      : { readonly limit: IssueLimits[Code] })
  : never

/** Where a value is that does not match its declared type, and the words for both. */
export interface IssueDetails {
  /**
   * The name of the parameter and what follows it: `['draft', 'lines', 2, 'quantity']`. Empty for the parameters as a whole. The names of
   * members are truncated to 60 characters.
   */
  readonly path: readonly PathSegment[]
  /** The declared type, in words: `int >= 1`. */
  readonly expected: string
  /** The value, in words: `int below 1`. */
  readonly received: string
}

/**
 * A mismatch between a value and its declared type. The `data` of an "Invalid params" error is a list of issues. `code` narrows `limit`,
 * whose types are those of IssueLimits.
 *
 * @example
 * { path: ['lines', 0, 'quantity'], code: 'minimum', limit: 1, expected: 'int >= 1', received: 'int below 1' }
 */
export type ValidationIssue = IssueDetails & IssueRule
