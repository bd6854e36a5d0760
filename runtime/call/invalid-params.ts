import { RpcInvalidParams, withoutStack } from '../error.js'
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
  return withoutStack(() => new RpcInvalidParams(boundMessage(`Invalid params${reason}`, more), { data }))
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
  // One fits, and to write all of them at once takes half the time.
  if (bounded.length === 1 || JSON.stringify(bounded).length <= MAX_DATA) return bounded
  return bounded.slice(0, countWithin(bounded, MAX_DATA))
}

/** Returns how many elements of a list fit into JSON of a length. */
function countWithin(list: readonly unknown[], most: number): number {
  let size = 2
  const end = list.findIndex((each) => {
    size += JSON.stringify(each).length + 1
    return size > most
  })
  return end < 0 ? list.length : end
}

/** The limit is declared, and left out if it is too long: half of a pattern or of a list is of no use. */
function boundIssue(issue: ValidationIssue): ValidationIssue {
  const { code, limit } = issue
  const isKept = limit !== undefined && (typeof limit === 'number' || JSON.stringify(limit).length <= MAX_TEXT)
  return {
    path: boundPath(issue.path),
    code,
    ...(isKept && { limit }),
    expected: truncate(issue.expected, MAX_TEXT),
    received: truncate(issue.received, MAX_TEXT),
  } as ValidationIssue
}

/** So many names fit into `MAX_TEXT`, whatever their characters. */
const SHORT_PATH = 6

/** Of a long path the beginning is kept: the path of a value that contains the invalid one. */
function boundPath(path: readonly PathSegment[]): readonly PathSegment[] {
  const names = path.map((segment) => (typeof segment === 'number' ? segment : truncate(segment, MAX_NAME)))
  return names.length <= SHORT_PATH ? names : names.slice(0, countWithin(names, MAX_TEXT))
}
