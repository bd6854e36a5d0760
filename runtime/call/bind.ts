import { bigintsToNumbers, emptyListsToStructs, isNumeric, isNumericOrAny } from '../values/coerce.js'
import { attempt, INVALID } from '../values/definition.js'
import { describeReceived, type ErrorDetails, MAX_ISSUES } from '../values/describe.js'
import { explainCall, tooMany } from '../values/explain.js'
import { hasNull } from '../values/inner-types.js'
import type { ValidationIssue } from '../values/issue.js'
import { member } from '../values/predicates.js'
import type { Param } from '../values/types.js'
import { findUnknownKeys } from '../values/unions/union.js'
import { localWire, type Wire } from '../values/wire.js'
import { invalidParams, invalidValueError } from './invalid-params.js'
import type { RequestScope } from './scope.js'
import type { Call, CallParams, CallSettings, Procedure } from './types.js'

/**
 * Returns the arguments of a call in the order of the procedure's parameters, as TypeScript values without unknown keys.
 *
 * @throws RpcInvalidParams if they do not match the declared types
 */
export function validate(procedure: Procedure, call: Call, scope: RequestScope): readonly unknown[] {
  const { codec, settings } = scope
  const { errorDetails } = settings
  if (call.invalidValue) throw invalidValueError(call.invalidValue, errorDetails, procedure.params)
  const bound = bind(procedure, call.params, errorDetails, settings.unknownParams)
  const plain = codec ? codec.wires.decode : localWire
  const wire = scope.steps ? plain.with({ steps: scope.steps }) : plain
  if (settings.unknownKeys === 'reject') {
    const issues = findUnknownKeys(procedure.params, bound, wire)
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
  { hasUnsafeIntegers }: Call,
  { codec, settings }: RequestScope,
  wire: Wire,
): readonly unknown[] {
  const { params } = procedure
  const structs = codec?.emptyListIsStruct ? emptyListsToStructs(params, bound) : bound
  const hasBigints = hasUnsafeIntegers || !codec || codec.hasBigints
  const converted = hasBigints
    ? bigintsToNumbers(params, structs, hasUnsafeIntegers ? isNumericOrAny : isNumeric)
    : structs
  // The same arguments are not tested a second time: a pattern may be slow.
  if (hasUnsafeIntegers || converted !== bound) {
    const read = attempt((args, on) => procedure.read(args, on), converted, wire)
    if (read !== INVALID) return read
  }
  throw invalidParams(explainParams(procedure, converted, wire, settings.errorDetails))
}

/** Returns why arguments are rejected. To explain takes more of the stack than to reject: without reasons, they are still rejected. */
function explainParams(...rejected: Parameters<typeof explainCall>): readonly ValidationIssue[] {
  try {
    return explainCall(...rejected)
  } catch (error) {
    if (error instanceof RangeError) return []
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
  const params = namesFor(procedure, named)
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

/** The parameters that the names refer to: of several overloads the first that has all names, and whose required parameters are given. */
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

function unknownName({ params, overloads = [params] }: Procedure, name: string): ValidationIssue {
  const lists = overloads.map((each) => each.map((param) => param.name).join(', '))
  const names = lists.filter((each) => each !== '').join('; or of ')
  const received = overloads.some((each) => isNameOf(each, name)) ? 'a name of another overload' : 'an unknown name'
  const expected = names === '' ? 'no parameters' : `one of ${names}`
  return { path: [name], code: 'additionalProperties', expected, received }
}
