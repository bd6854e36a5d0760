/** Why one value is not what was declared; what `data` of an "Invalid params" error lists. */
export interface Issue {
  /** Where: `draft.lines[2].quantity`. */
  readonly path: string
  /** The declared type, in words. */
  readonly expected: string
  /** What came, in words. */
  readonly received: string
}

/** `draft.lines[2].quantity: expected int, received string "x"` */
export function describeIssue({ path, expected, received }: Issue): string {
  return `${path}: expected ${expected}, received ${received}`
}

/** How many places one error names: a list of thousands helps nobody, and would cost more than the request. */
export const mostIssues = 20

/** The issues of a list's items, up to the first that are enough. */
export function firstIssues<T>(items: Iterable<T>, issuesOf: (item: T, index: number) => readonly Issue[]): Issue[] {
  const issues: Issue[] = []
  let index = 0
  for (const item of items) {
    for (const issue of issuesOf(item, index)) issues.push(issue)
    if (issues.length >= mostIssues) break
    index += 1
  }
  return issues
}
