/** A parameter as the comment tells it; the name as written, so `opts.deep` and unknown names come through. */
export interface DocParam {
  readonly name: string
  /** Empty when only a type was given. */
  readonly text: string
  /** The type as written, white space collapsed. */
  readonly type?: string
  readonly line: number
}

/** What the comment tells about the returned value. */
export interface DocReturns {
  /** Empty when only a type was given. */
  readonly text: string
  readonly type?: string
  readonly line: number
}

/** An error that the comment announces. */
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
  /** The part of the text that stands on the tag's own line. */
  readonly firstLine: string
  readonly line: number
}

/** Something wrong in a comment. */
export interface DocProblem {
  readonly message: string
  readonly line: number
  /** What to do about it. */
  readonly hint?: string
}

/** A code fence that never closes, among the problems too, and the tags below it that decide something. */
export interface DocHiding extends DocProblem {
  /** Without the `@`. */
  readonly tags: readonly string[]
}

/** A doc comment, taken apart. Every `line` counts from zero at the first line of the comment. */
export interface DocComment {
  /** The prose, without fields and tags; inner indentation and code blocks are kept. */
  readonly description: string
  /** In the order of first mention; both styles merged. */
  readonly params: readonly DocParam[]
  readonly returns?: DocReturns
  readonly throws: readonly DocThrows[]
  readonly tags: readonly DocTag[]
  /** In the order of their lines. */
  readonly problems: readonly DocProblem[]
  /** What keeps tags from being read; mostly absent. */
  readonly hiding?: DocHiding
  /** Tags that decide something, behind other text on their lines, among the problems too; mostly absent. */
  readonly misplaced?: readonly DocProblem[]
}
