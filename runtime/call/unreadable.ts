import { RpcInvalidParams } from '../error.js'
import { type ErrorDetails, formatPath, type PathSegment } from '../values/describe.js'
import type { Param } from '../values/types.js'
import { argumentName } from '../values/types.js'
import { invalidParamsOf } from './invalid-params.js'
import type { Call } from './types.js'

/**
 * A value in the parameters that its protocol cannot read, such as `1e999` or `<int>x</int>`. It is thrown when the
 * parameters of the call are looked at: an unknown method and a caller without leave are told so first.
 */
export class UnreadableParam extends RpcInvalidParams {
  readonly #parts: readonly PathSegment[]
  readonly #expected: string
  readonly #received: (details: ErrorDetails) => string

  /** `parts` begin with the parameter's position, or its name; `received` describes the value. */
  constructor(
    parts: readonly PathSegment[],
    expected: string,
    received: (details: ErrorDetails) => string,
    path = unnamed(parts),
    details: ErrorDetails = 'types',
  ) {
    super(...invalidParamsOf([{ path, expected, received: received(details) }]))
    this.#parts = parts
    this.#expected = expected
    this.#received = received
  }

  /**
   * Returns the same error as the server shows it: described by its `errorDetails` and in the words of the procedure, where
   * there is one: `order.lines[2]` in place of `params[0].lines[2]`.
   */
  named(details: ErrorDetails, params: readonly Param[] = []): UnreadableParam {
    const [first, ...inside] = this.#parts
    const name = typeof first === 'number' ? argumentName(params, first) : first
    const path = name === undefined ? undefined : formatPath(name, inside)
    return new UnreadableParam(this.#parts, this.#expected, this.#received, path, details)
  }
}

function unnamed(parts: readonly PathSegment[]): string {
  return formatPath(typeof parts[0] === 'number' ? 'params' : '', parts)
}

/** Returns the call with an error in place of its parameters. */
export function refusedWhenRead(call: Call, error: UnreadableParam): Call {
  return { ...call, params: [], invalidParam: error }
}
