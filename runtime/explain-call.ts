import { explain } from './explain.js'
import { firstIssues, type Issue } from './issue.js'
import type { Procedure } from './manifest.js'
import type { Param } from './param.js'
import { unlike } from './unlike.js'

/**
 * Says why arguments were refused: the slow and explicit twin of the generated `accepts`, over the same TypeScript
 * values. Empty when there is nothing to refuse.
 */
function explainArguments(params: readonly Param[], args: readonly unknown[]): Issue[] {
  const rest = params.at(-1)?.rest ? params.length - 1 : undefined
  if (rest === undefined && args.length > params.length) {
    return [{ path: 'params', expected: atMost(params.length), received: `${args.length}` }]
  }
  const issues = params.slice(0, rest).flatMap((param, i) => {
    if (args[i] === undefined && param.optional) return []
    return i < args.length ? explain(param.type, args[i], param.name) : unlike(param.type, undefined, param.name)
  })
  if (rest === undefined) return issues
  const { name, type } = params[rest] as Param
  return issues.concat(firstIssues(args.slice(rest), (arg, i) => explain(type, arg, `${name}[${i}]`)))
}

/** The same for a procedure that may be overloaded: no overload takes the arguments, and the one that nearly does tells why. */
export function explainCall(
  { params, overloads }: Pick<Procedure, 'params' | 'overloads'>,
  args: readonly unknown[],
): Issue[] {
  const issues = explainArguments(params, args)
  if (!overloads || issues.length > 0) return issues
  const tried = overloads.map((each) => explainArguments(each, args))
  return tried.reduce((one, other) => (other.length < one.length ? other : one))
}

function atMost(count: number): string {
  return count === 0 ? 'no parameters' : `at most ${count} parameter${count === 1 ? '' : 's'}`
}
