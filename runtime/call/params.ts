// The parameters of a call: in the order of the procedure's, decoded and tested; and the errors for those that do not match.
//
//   { b: 2, a: 1 }  for  add(a: int, b: int)     →  [1, 2]
//   [1, 'x']        for the same                 →  RpcInvalidParams: b: expected int, received string of length 1
import { RpcInvalidParams, RpcInvalidRequest, withoutStack } from '../error.js'
import { memoize } from '../values/cache.js'
import { coerceArguments, isNumeric, isNumericOrAny } from '../values/coerce.js'
import { attempt, INVALID } from '../values/definition.js'
import {
  describeIssue,
  describeReceived,
  type ErrorDetails,
  formatPath,
  MAX_DATA,
  MAX_ISSUES,
  MAX_NAME,
  truncate,
  truncateMessage,
} from '../values/describe.js'
import { explainCall, type ParameterLists, tooMany } from '../values/explain.js'
import { hasNull } from '../values/inner-types.js'
import type { PathSegment, ValidationIssue } from '../values/issue.js'
import { member } from '../values/predicates.js'
import { argumentPath, type Param } from '../values/types.js'
import { findUnknownKeys } from '../values/unions/union.js'
import { localWire, type Wire } from '../values/wire.js'
import type { CallContext } from './context.js'
import type { RequestScope } from './scope.js'
import { countLongWork } from './turns.js'
import type { Call, CallParams, CallSettings, InvalidValue, Procedure } from './types.js'

/**
 * Returns the arguments of a call in the order of the procedure's parameters, as TypeScript values without unknown keys.
 *
 * @throws RpcInvalidParams if they do not match the declared types
 */
export function validate(procedure: Procedure, { call, scope }: CallContext<Call>): readonly unknown[] {
  const { codec, settings } = scope
  const { errorDetails } = settings
  if (call.invalidValue) throw invalidValueError(call.invalidValue, errorDetails, procedure.params)
  const bound = bind(procedure, call.params, errorDetails, settings.unknownParams)
  const plain = codec ? codec.wires.decode : localWire
  const { reading } = scope.steps
  const wire = reading ? plain.with({ steps: reading }) : plain
  if (settings.unknownKeys === 'reject') {
    const issues = findUnknownKeys(paramsInErrors(procedure, call.params).params, bound, wire)
    if (issues.length > 0) throw invalidParams(issues)
  }
  if (call.hasUnsafeIntegers) return readAlternatives(procedure, bound, call, scope, wire)
  // `attempt`, written out, as for results.
  try {
    return procedure.read(bound, wire)
  } catch (error) {
    if (error !== INVALID) throw error
  }
  return readAlternatives(procedure, bound, call, scope, wire)
}

/** Accepts an empty list as an empty struct and a bigint as a number, if the protocol does not distinguish them. */
function readAlternatives(
  procedure: Procedure,
  bound: readonly unknown[],
  { hasUnsafeIntegers, params }: Call,
  { codec, settings, steps }: RequestScope,
  wire: Wire,
): readonly unknown[] {
  const acceptsBigint = hasUnsafeIntegers ? isNumericOrAny : !codec || codec.hasBigints ? isNumeric : undefined
  const emptyListIsStruct = codec?.emptyListIsStruct
  // Called in any case, it would cost an invalid call over JSON 10 %.
  const coerced =
    acceptsBigint || emptyListIsStruct
      ? coerceArguments(procedure.params, bound, { acceptsBigint, emptyListIsStruct })
      : bound
  // The same arguments are not tested a second time: a pattern may be slow.
  if (hasUnsafeIntegers || coerced !== bound) {
    const read = attempt((args, on) => procedure.read(args, on), coerced, wire)
    if (read !== INVALID) return read
  }
  const limit = codec && steps.explaining
  throw invalidParams(explainParams(paramsInErrors(procedure, params), coerced, wire, settings.errorDetails, limit))
}

/** Returns why arguments are rejected. To explain takes more time, and of the stack, than to reject: without reasons, they are still rejected. */
function explainParams(...rejected: Parameters<typeof explainCall>): readonly ValidationIssue[] {
  countLongWork()
  try {
    return explainCall(...rejected)
  } catch (error) {
    if (error instanceof RangeError || error instanceof RpcInvalidRequest) return []
    throw error
  }
}

/** A call spreads its arguments; engines throw a RangeError above some number of them. */
const MAX_ARGUMENTS = 16_384

/**
 * Returns the parameters of a call in the order of the procedure's parameters.
 *
 * By name, "names MUST match exactly" (JSON-RPC 2.0 section 4.2): an unknown one is rejected, unless the server strips them. Null means an
 * omitted optional parameter, since not every client can omit one. With `paramsObject`, an object is the only argument.
 */
export function bind(
  procedure: Procedure,
  params: CallParams,
  details: ErrorDetails = 'types',
  unknownParams: CallSettings['unknownParams'] = 'reject',
): readonly unknown[] {
  const args: readonly unknown[] = Array.isArray(params)
    ? params
    : procedure.paramsObject
      ? [params]
      : byName(procedure, params as Record<string, unknown>, details, unknownParams)
  if (args.length > MAX_ARGUMENTS) throw invalidParams([{ path: [], ...tooMany(args, MAX_ARGUMENTS) }])
  return args.includes(null) ? omitNulls(args, procedure.params) : args
}

function omitNulls(args: readonly unknown[], params: readonly Param[]): unknown[] {
  const nullAt = (param: Param | undefined) => (param?.optional && !hasNull(param.type) ? undefined : null)
  return args.map((arg, i) => (arg === null ? nullAt(params[i]) : arg))
}

function byName(
  procedure: Procedure,
  named: Record<string, unknown>,
  details: ErrorDetails,
  unknownParams: CallSettings['unknownParams'],
): unknown[] {
  const params = paramsByName(procedure, named)
  const unknown = unknownParams === 'reject' ? Object.keys(named).filter((name) => !isNameOf(params, name)) : []
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
    throw invalidParams([{ path: [param.name], code: 'type', limit: 'array', expected: 'array', received }])
  })
}

/** Returns the parameters that the names of a call refer to: those of the first overload that the names select. */
export function paramsByName(procedure: Procedure, named: object): readonly Param[] {
  const [first = procedure.params] = selectOverloads(procedure, named)
  return first
}

/** Returns the overloads that have all names of a call, but for those that are unknown, and whose required parameters are given. */
function selectOverloads({ params, overloads }: Procedure, named: object): readonly (readonly Param[])[] {
  if (!overloads) return []
  const all = [params, ...overloads]
  const names = Object.keys(named).filter((name) => all.some((each) => isNameOf(each, name)))
  return overloads.filter(
    (each) =>
      names.every((name) => isNameOf(each, name)) &&
      each.every(({ name, optional, rest }) => optional || rest || Object.hasOwn(named, name)),
  )
}

/** Returns the parameters as errors name them: of a call by name, by the names that the caller has sent, which an overload may have of its own. */
export function paramsInErrors(procedure: Procedure, sent: CallParams): ParameterLists {
  const overloads = Array.isArray(sent) ? [] : selectOverloads(procedure, sent)
  const [first] = overloads
  if (!first) return procedure
  const params = procedure.params.map((param, i) => ({ ...param, name: first[i]?.name ?? param.name }))
  return { params, overloads }
}

function isNameOf(params: readonly Param[], name: string): boolean {
  return params.some((param) => param.name === name)
}

function unknownName({ params, overloads = [params] }: Procedure, name: string): ValidationIssue {
  const lists = overloads.map((each) => each.map((param) => param.name).join(', '))
  const names = lists.filter((each) => each !== '').join('; or of ')
  const received = overloads.some((each) => isNameOf(each, name)) ? 'a name of another overload' : 'an unknown name'
  const expected = names === '' ? 'no parameters' : `one of ${names}`
  return { path: [name], code: 'additionalProperties', expected, received }
}

// Errors

/**
 * Returns the error for parameters that do not match. Its message has the first issue; its data lists as many as fit into
 * `MAX_ISSUES` and `MAX_DATA`, and the message reports if there are more. `count` is how many there are in all.
 */
function invalidParams(issues: readonly ValidationIssue[], count: number = issues.length): RpcInvalidParams {
  const data = truncateIssues(issues)
  const listed = data.length < count ? `; data has the first ${data.length}` : ''
  const more = count > 1 ? ` (and ${count - 1} more${listed})` : ''
  const [first] = issues
  const reason = first ? `: ${describeIssue(first, formatPath(first.path))}` : ''
  return withoutStack(() => new RpcInvalidParams(truncateMessage(`Invalid params${reason}`, more), { data }))
}

/**
 * Returns the error for a value that the protocol could not read. Its path has the names of the procedure's parameters, if
 * they are known: `order.lines[2]` instead of `params[0].lines[2]`.
 */
export function invalidValueError(
  { path: [first = 0, ...inside], kind, expected, received }: InvalidValue,
  details: ErrorDetails,
  params: readonly Param[] = [],
): RpcInvalidParams {
  const path = [...(typeof first === 'number' ? argumentPath(params, first) : [first]), ...inside]
  return invalidParams([{ path, code: 'type', limit: kind, expected, received: received(details) }])
}

/** The length of a part of an issue. JSON doubles the quotes and backslashes of its texts: one issue fits into `MAX_DATA`. */
const MAX_TEXT = 2500

function truncateIssues(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  const truncated = issues.slice(0, MAX_ISSUES).map(truncateIssue)
  // One fits, and to write all of them at once takes half the time.
  if (truncated.length === 1 || JSON.stringify(truncated).length <= MAX_DATA) return truncated
  return truncated.slice(0, countWithin(truncated, MAX_DATA))
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
function truncateIssue(issue: ValidationIssue): ValidationIssue {
  const { code, limit } = issue
  const isKept =
    limit !== undefined && (typeof limit === 'object' && limit !== null ? isShortList(limit) : isShort(limit))
  return {
    path: truncatePath(issue.path),
    code,
    ...(isKept && { limit }),
    expected: truncate(issue.expected, MAX_TEXT),
    received: truncate(issue.received, MAX_TEXT),
  } as ValidationIssue
}

function isShort(limit: unknown): boolean {
  return JSON.stringify(limit).length <= MAX_TEXT
}

/** The values of a type are one list, however many errors have it. */
const isShortList: (limit: object) => boolean = /* @__PURE__ */ memoize(isShort)

/** So many names fit into `MAX_TEXT`, whatever their characters. */
const SHORT_PATH = 6

/** Of a long path the beginning is kept: the path of a value that contains the invalid one. */
function truncatePath(path: readonly PathSegment[]): readonly PathSegment[] {
  const names = path.map((segment) => (typeof segment === 'number' ? segment : truncate(segment, MAX_NAME)))
  return names.length <= SHORT_PATH ? names : names.slice(0, countWithin(names, MAX_TEXT))
}
