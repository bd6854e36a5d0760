/** A parameter as the comment documents it. The name is as written: `opts.deep` and unknown names included. */
export interface DocParam {
  readonly name: string
  /** Empty when only a type was given. */
  readonly text: string
  /** The type as written, white space collapsed. */
  readonly type?: string
  readonly line: number
}

/** The documentation of the returned value. */
export interface DocReturns {
  /** Empty when only a type was given. */
  readonly text: string
  readonly type?: string
  readonly line: number
}

/** An error that the comment declares. */
export interface DocThrows {
  /** A class name or an error code as written; empty when the comment gives none. */
  readonly name: string
  readonly text: string
  readonly line: number
}

/** Any other tag, for instance `@rpc user.create`. */
export interface DocTag {
  /** Without the `@`. */
  readonly name: string
  /** Everything up to the next tag or field, continuation lines dedented. */
  readonly text: string
  /** The part of the text on the tag's own line. */
  readonly firstLine: string
  readonly line: number
}

/** A problem in a comment. */
export interface DocProblem {
  readonly message: string
  readonly line: number
  /** What to do about it. */
  readonly hint?: string
}

/** A code fence that never closes, which is also among the problems, and the tags below it that have an effect. */
export interface DocHiding extends DocProblem {
  /** Without the `@`. */
  readonly tags: readonly string[]
}

/** A parsed doc comment. Every `line` counts from zero at the first line of the comment. */
export interface DocComment {
  /** The prose, without fields and tags; inner indentation and code blocks are kept. */
  readonly description: string
  /** In order of first occurrence; both styles merged. */
  readonly params: readonly DocParam[]
  readonly returns?: DocReturns
  readonly throws: readonly DocThrows[]
  readonly tags: readonly DocTag[]
  /** In the order of their lines. */
  readonly problems: readonly DocProblem[]
  /** A fence that hides tags; usually absent. */
  readonly hiding?: DocHiding
  /** Directives after other text on their lines, which are also among the problems; usually absent. */
  readonly misplaced?: readonly DocProblem[]
}
