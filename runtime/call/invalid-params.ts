import { RpcInvalidParams } from '../error.js'
import {
  boundMessage,
  describeIssue,
  type ErrorDetails,
  formatPath,
  MAX_DATA,
  MAX_ISSUES,
  MAX_NAME,
  truncate,
} from '../values/describe.js'
import type { PathSegment, ValidationIssue } from '../values/issue.js'
import { argumentPath, type Param } from '../values/types.js'
import type { InvalidValue } from './types.js'

/**
 * Returns the error for parameters that do not match. Its message has the first issue; its data lists as many as fit into
 * `MAX_ISSUES` and `MAX_DATA`, and the message reports if there are more. `count` is how many there are in all.
 */
export function invalidParams(issues: readonly ValidationIssue[], count: number = issues.length): RpcInvalidParams {
  const data = boundIssues(issues)
  const listed = data.length < count ? `; data has the first ${data.length}` : ''
  const more = count > 1 ? ` (and ${count - 1} more${listed})` : ''
  const [first] = issues
  const reason = first ? `: ${describeIssue(first, formatPath(first.path))}` : ''
  return new RpcInvalidParams(boundMessage(`Invalid params${reason}`, more), { data })
}

/**
 * Returns the error for a value that the protocol could not read. Its path has the names of the procedure's parameters, if
 * they are known: `order.lines[2]` instead of `params[0].lines[2]`.
 */
export function invalidValueError(
  { path: [first = 0, ...inside], kind, expected, received }: InvalidValue,
  details: ErrorDetails = 'types',
  params: readonly Param[] = [],
): RpcInvalidParams {
  const path = [...(typeof first === 'number' ? argumentPath(params, first) : [first]), ...inside]
  return invalidParams([{ path, code: 'type', limit: kind, expected, received: received(details) }])
}

/** The length of a part of an issue. JSON doubles the quotes and backslashes of its texts: one issue fits into `MAX_DATA`. */
const MAX_TEXT = 2500

function boundIssues(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  const bounded = issues.slice(0, MAX_ISSUES).map(boundIssue)
  let size = 2
  const isBeyond = (length: number) => {
    size += length
    return size > MAX_DATA
  }
  if (!bounded.some((each) => isBeyond(atMost(each)))) return bounded
  size = 2
  const end = bounded.findIndex((each) => isBeyond(JSON.stringify(each).length + 1))
  return end < 0 ? bounded : bounded.slice(0, end)
}

/** Returns a length that the JSON of an issue does not exceed. Less work than to write it. */
function atMost({ path, limit, expected, received }: ValidationIssue): number {
  // The names of the members and the code.
  return 100 + lengthAtMost(path) + lengthAtMost(limit) + lengthAtMost(expected) + lengthAtMost(received)
}

/** An escaped code unit has six characters. */
function lengthAtMost(value: ValidationIssue['path' | 'limit' | 'expected']): number {
  if (typeof value === 'string') return 6 * value.length + 3
  if (typeof value !== 'object' || value === null) return 25
  let length = 2
  for (const each of value) length += lengthAtMost(each)
  return length
}

function fits(value: ValidationIssue['path' | 'limit']): boolean {
  return lengthAtMost(value) <= MAX_TEXT || JSON.stringify(value).length <= MAX_TEXT
}

/** The limit is declared, and left out if it is too long: half of a pattern or of a list is of no use. */
function boundIssue(issue: ValidationIssue): ValidationIssue {
  const { code, limit } = issue
  const path = boundPath(issue.path)
  const expected = truncate(issue.expected, MAX_TEXT)
  const received = truncate(issue.received, MAX_TEXT)
  const isKept = limit !== undefined && fits(limit)
  return (isKept ? { path, code, limit, expected, received } : { path, code, expected, received }) as ValidationIssue
}

/** Of a long path the beginning is kept: the path of a value that contains the invalid one. */
function boundPath(path: readonly PathSegment[]): readonly PathSegment[] {
  const names = path.map((segment) => (typeof segment === 'number' ? segment : truncate(segment, MAX_NAME)))
  if (fits(names)) return names
  let size = 2
  const end = names.findIndex((segment) => {
    size += JSON.stringify(segment).length + 1
    return size > MAX_TEXT
  })
  return names.slice(0, end)
}
