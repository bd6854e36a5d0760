import type { RpcInvalidParams } from '../error.js'
import { describeReceived, type ErrorDetails, MAX_NAME, truncate } from '../values/describe.js'
import { member } from '../values/predicates.js'
import type { Param, WireType } from '../values/types.js'
import { explainCall, type Issue, MAX_ISSUES } from '../values/validate.js'
import { invalidParams } from './invalid-params.js'
import type { Procedure } from './manifest.js'

/** A call spreads its arguments; engines give up somewhere above this many. */
const mostArguments = 16_384

/**
 * Puts the parameters of a call into the order of the procedure's own.
 *
 * By name, "names MUST match exactly" (JSON-RPC 2.0 section 4.2): an unknown one is refused. Null stands for a left-out
 * optional parameter, since not every client can leave one out.
 */
export function bind(
  procedure: Procedure,
  params: readonly unknown[] | Readonly<Record<string, unknown>>,
  details: ErrorDetails = 'types',
): unknown[] {
  const args = Array.isArray(params) ? params.slice() : byName(procedure, params as Record<string, unknown>, details)
  if (args.length > mostArguments) {
    throw invalidParams([
      { path: 'params', expected: `at most ${mostArguments} parameters`, received: `${args.length}` },
    ])
  }
  for (let i = 0; i < args.length; i++) if (args[i] === null) args[i] = nullAt(procedure.params[i])
  return args
}

function nullAt(param: Param | undefined): null | undefined {
  return param?.optional && !hasNull(param.type) ? undefined : null
}

function byName(procedure: Procedure, named: Record<string, unknown>, details: ErrorDetails): unknown[] {
  const params = namesFor(procedure, named)
  const unknown = Object.keys(named).filter((name) => !isNameOf(params, name))
  if (unknown.length > 0) {
    const issues = unknown.slice(0, MAX_ISSUES).map((name) => unknownName(procedure, name))
    throw invalidParams(issues, unknown.length)
  }
  let last = params.length
  while (last > 0 && !Object.hasOwn(named, params[last - 1]?.name ?? '')) last -= 1
  return params.slice(0, last).flatMap((param) => {
    const value = member(named, param.name)
    if (!param.rest) return [value]
    if (Array.isArray(value)) return value
    const received = describeReceived(value, details)
    throw invalidParams([{ path: param.name, expected: 'array', received }])
  })
}

/** The parameters whose names are meant: of several overloads the first that has them all, and misses none that it needs. */
function namesFor({ params, overloads = [] }: Procedure, named: Record<string, unknown>): readonly Param[] {
  const fitting = overloads.find(
    (each) =>
      Object.keys(named).every((name) => isNameOf(each, name)) &&
      each.every(({ name, optional, rest }) => optional || rest || Object.hasOwn(named, name)),
  )
  return fitting ?? params
}

function isNameOf(params: readonly Param[], name: string): boolean {
  return params.some((param) => param.name === name)
}

function unknownName({ params, overloads = [params] }: Procedure, name: string): Issue {
  const lists = overloads.map((each) => each.map((param) => param.name).join(', '))
  const names = lists.filter((each) => each !== '').join('; or of ')
  const received = overloads.some((each) => isNameOf(each, name)) ? 'a name of another overload' : 'an unknown name'
  return { path: truncate(name, MAX_NAME), expected: names === '' ? 'no parameters' : `one of ${names}`, received }
}

function hasNull(type: WireType): boolean {
  if (type.kind === 'ref') return hasNull(type.type())
  if (type.kind === 'union') return type.branches.some(hasNull)
  return type.kind === 'null' || type.kind === 'any'
}

/** The error for arguments that `accepts` refused. */
export function refuseArguments(
  procedure: Procedure,
  args: readonly unknown[],
  details: ErrorDetails,
): RpcInvalidParams {
  return invalidParams(explainCall(procedure, args, details))
}

/** Throws when there are members that no declared type has. */
export function refuseUndeclared(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidParams(issues)
}
