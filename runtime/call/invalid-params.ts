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
  return bounded.slice(0, countWithin(bounded, MAX_DATA))
}

/** The JSON of a code unit has at most six: `\u0000`. */
const MAX_ESCAPE = 6

/** More than what the names and punctuation of an issue have in JSON, and a number. */
const MAX_FRAME = 100
const MAX_NUMBER = 30

/** Returns how many elements of a list fit into JSON of a length. They are written only if they may not fit. */
function countWithin(list: readonly (ValidationIssue | PathSegment)[], most: number): number {
  let atMost = 2
  for (const each of list) atMost += mostOf(each)
  if (atMost <= most) return list.length
  let size = 2
  const end = list.findIndex((each) => {
    size += JSON.stringify(each).length + 1
    return size > most
  })
  return end < 0 ? list.length : end
}

function mostOf(part: ValidationIssue | PathSegment): number {
  if (typeof part === 'number') return MAX_NUMBER
  if (typeof part === 'string') return MAX_ESCAPE * part.length + 3
  let length = part.expected.length + part.received.length
  if (typeof part.limit === 'string') length += part.limit.length
  for (const segment of part.path) length += typeof segment === 'string' ? segment.length : 0
  return typeof part.limit === 'object' ? Infinity : MAX_ESCAPE * length + MAX_FRAME + MAX_NUMBER * part.path.length
}

/** The limit is declared, and left out if it is too long: half of a pattern or of a list is of no use. */
function boundIssue(issue: ValidationIssue): ValidationIssue {
  const { code, limit } = issue
  const isShort = typeof limit === 'number' || (typeof limit === 'string' && MAX_ESCAPE * limit.length + 2 <= MAX_TEXT)
  const isKept = limit !== undefined && (isShort || JSON.stringify(limit).length <= MAX_TEXT)
  return {
    path: boundPath(issue.path),
    code,
    ...(isKept && { limit }),
    expected: truncate(issue.expected, MAX_TEXT),
    received: truncate(issue.received, MAX_TEXT),
  } as ValidationIssue
}

/** Of a long path the beginning is kept: the path of a value that contains the invalid one. */
function boundPath(path: readonly PathSegment[]): readonly PathSegment[] {
  const names = path.map((segment) => (typeof segment === 'number' ? segment : truncate(segment, MAX_NAME)))
  return names.slice(0, countWithin(names, MAX_TEXT))
}
