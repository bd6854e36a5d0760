import { describeValue } from '../values/describe.js'

/** The error of a call whose parameter or result does not match the table of the client, and so cannot be converted. */
export class RpcValueError extends Error {
  override readonly name: string = 'RpcValueError'
  /** The name of the procedure. */
  readonly method: string
  /** The path: `user.joined` of a parameter, `result.joined`. */
  readonly path: string
  /** The expected type. */
  readonly expected: string
  /** A description of the value: `string of length 7`. */
  readonly received: string

  constructor(method: string, path: string, expected: string, value: unknown) {
    const received = describeValue(value)
    super(`${method}: ${path}: expected ${expected}, received ${received}`)
    this.method = method
    this.path = path
    this.expected = expected
    this.received = received
  }
}
