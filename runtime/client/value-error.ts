import { describeValue } from '../values/describe.js'

/** A parameter or a result does not match the table of the client, and so cannot be converted. */
export class RpcValueError extends Error {
  override readonly name: string = 'RpcValueError'
  readonly method: string
  /** The path: `user.joined` of a parameter, `result.joined`. */
  readonly path: string
  readonly expected: string
  /** The actual value, in words. */
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
