import { describeType, describeValue } from './describe.js'
import type { WireType } from './wire-type.js'

/** One mismatch between a value and its declared type; the `data` of an "Invalid params" error is a list of these. */
export interface Issue {
  /** Where: `draft.lines[2].quantity`. */
  readonly path: string
  /** The declared type, in words. */
  readonly expected: string
  /** What came, in words. */
  readonly received: string
}

/** The most issues that one error lists: more would help nobody, and would cost more than the request. */
export const MAX_ISSUES = 20

/** `draft.lines[2].quantity: expected int, received string of length 1` */
export function describeIssue({ path, expected, received }: Issue): string {
  return `${path}: expected ${expected}, received ${received}`
}

/** Returns the issue of a value that is not of a type or, if it is undefined, is missing. */
export function typeMismatch(type: WireType, value: unknown, path: string, why = ''): Issue[] {
  return [{ path, expected: describeType(type), received: describeValue(value) + why }]
}

/** Returns the issues of several items, and stops once there are enough. */
export function collectIssues<T>(items: Iterable<T>, issuesOf: (item: T, index: number) => readonly Issue[]): Issue[] {
  const issues: Issue[] = []
  let index = 0
  for (const item of items) {
    for (const issue of issuesOf(item, index)) issues.push(issue)
    if (issues.length >= MAX_ISSUES) break
    index += 1
  }
  return issues
}
