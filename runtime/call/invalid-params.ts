import { RpcInvalidParams } from '../error.js'
import {
  boundMessage,
  describeIssue,
  type ErrorDetails,
  formatPath,
  type Issue,
  MAX_DATA,
  MAX_ISSUES,
  truncate,
} from '../values/describe.js'
import { argumentName, type Param } from '../values/types.js'
import type { InvalidValue } from './types.js'

/**
 * Returns the error for parameters that do not match. Its message has the first issue; its data lists as many as fit into
 * `MAX_ISSUES` and `MAX_DATA`, and the message reports if there are more. `count` is how many there are in all.
 */
export function invalidParams(issues: readonly Issue[], count: number = issues.length): RpcInvalidParams {
  const data = boundIssues(issues)
  const listed = data.length < count ? `; data has the first ${data.length}` : ''
  const more = count > 1 ? ` (and ${count - 1} more${listed})` : ''
  const reason = issues[0] ? `: ${describeIssue(issues[0])}` : ''
  return new RpcInvalidParams(boundMessage(`Invalid params${reason}`, more), { data })
}

/**
 * Returns the error for a value that the protocol could not read. Its path has the names of the procedure's parameters, if
 * they are known: `order.lines[2]` instead of `params[0].lines[2]`.
 */
export function invalidValueError(
  { path, expected, received }: InvalidValue,
  details: ErrorDetails = 'types',
  params: readonly Param[] = [],
): RpcInvalidParams {
  const [first, ...inside] = path
  const name = typeof first === 'number' ? argumentName(params, first) : first
  const at = name === undefined ? formatPath('params', path) : formatPath(name, inside)
  return invalidParams([{ path: at, expected, received: received(details) }])
}

/** An issue has three texts, whose quotes and backslashes JSON doubles: one issue fits into `MAX_DATA`. */
const MAX_TEXT = 2500

function boundIssues(issues: readonly Issue[]): Issue[] {
  const bounded: Issue[] = []
  let size = 2
  for (const { path, expected, received } of issues.slice(0, MAX_ISSUES)) {
    const issue = {
      path: truncate(path, MAX_TEXT),
      expected: truncate(expected, MAX_TEXT),
      received: truncate(received, MAX_TEXT),
    }
    size += JSON.stringify(issue).length + 1
    if (size > MAX_DATA) break
    bounded.push(issue)
  }
  return bounded
}
