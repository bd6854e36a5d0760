import { describeIssue, describeValue, formatPath } from '../values/describe.js'
import type { IssueDetails, PathSegment } from '../values/issue.js'

/** A path as it is extended while a value is converted: the path of the outer value, if any, and a segment. */
export type ValuePath = readonly [outer: ValuePath, segment: PathSegment] | undefined

/** Returns the error for a value at a path. */
export function valueError(method: string, path: ValuePath, expected: string, value: unknown): RpcValueError {
  const segments: PathSegment[] = []
  for (let at = path; at; at = at[0]) segments.push(at[1])
  return new RpcValueError(method, segments.reverse(), expected, value)
}

/** The error of a call whose parameter or result does not match the table of the client, and so cannot be converted. */
export class RpcValueError extends Error implements IssueDetails {
  override readonly name: string = 'RpcValueError'
  /** The name of the procedure. */
  readonly method: string
  /** The path: `['user', 'joined']` of a parameter, `['result', 'joined']`. */
  readonly path: readonly PathSegment[]
  /** The expected type. */
  readonly expected: string
  /** A description of the value: `string of length 7`. */
  readonly received: string

  constructor(method: string, path: readonly PathSegment[], expected: string, value: unknown) {
    const received = describeValue(value)
    super(`${method}: ${describeIssue({ expected, received }, formatPath(path))}`)
    this.method = method
    this.path = path
    this.expected = expected
    this.received = received
  }
}
