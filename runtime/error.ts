const brand = Symbol.for('rpc-gen.RpcError')

/** The error codes of JSON-RPC 2.0 section 5.1, which XML-RPC faults share (Dan Libby's list). */
export const ErrorCode = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  AUTHENTICATION: -32098,
  RESPONSE_TOO_LARGE: -32097,
  TIMEOUT: -32096,
} as const

/** What the constructors of RpcError and its subclasses take beside the message. */
export interface RpcErrorOptions extends ErrorOptions {
  /** Any JSON value; sent as the error's `data`, also when it is falsy. XML-RPC faults have no place for it. */
  readonly data?: unknown
}

/**
 * The one error that a client gets to see: its code, message and data travel. Whatever else a procedure throws is
 * answered as "Internal error".
 *
 * @example
 * throw new RpcError(404, 'No such order', { data: { id } })
 */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number
  declare readonly data?: unknown

  constructor(code: number, message: string, options: RpcErrorOptions = {}) {
    super(message, options)
    this.code = code
    if ('data' in options) this.data = options.data
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Whether this is an RpcError, also one of another copy of this package. */
export function isRpcError(error: unknown): error is RpcError {
  return typeof error === 'object' && error !== null && brand in error
}

/** -32700: the body is not well-formed. */
export class RpcParseError extends RpcError {
  override readonly name: string = 'RpcParseError'
  constructor(message = 'Parse error', options?: RpcErrorOptions) {
    super(ErrorCode.PARSE_ERROR, message, options)
  }
}

/** -32700: the body holds what a safe reader refuses, a DOCTYPE or an entity declaration. */
export class RpcInsecureRequest extends RpcParseError {
  override readonly name: string = 'RpcInsecureRequest'
}

/** -32600: well-formed, but not a request. */
export class RpcInvalidRequest extends RpcError {
  override readonly name: string = 'RpcInvalidRequest'
  constructor(message = 'Invalid Request', options?: RpcErrorOptions) {
    super(ErrorCode.INVALID_REQUEST, message, options)
  }
}

/** -32601: no procedure of this name that this protocol may call. */
export class RpcMethodNotFound extends RpcError {
  override readonly name: string = 'RpcMethodNotFound'
  constructor(message = 'Method not found', options?: RpcErrorOptions) {
    super(ErrorCode.METHOD_NOT_FOUND, message, options)
  }
}

/** -32602: the arguments are not what the procedure declares; `data` is a list of `{ path, expected, received }`. */
export class RpcInvalidParams extends RpcError {
  override readonly name: string = 'RpcInvalidParams'
  constructor(message = 'Invalid params', options?: RpcErrorOptions) {
    super(ErrorCode.INVALID_PARAMS, message, options)
  }
}

/** -32603: the procedure failed, or its result is not what it declares. */
export class RpcInternalError extends RpcError {
  override readonly name: string = 'RpcInternalError'
  constructor(message = 'Internal error', options?: RpcErrorOptions) {
    super(ErrorCode.INTERNAL_ERROR, message, options)
  }
}

/** -32097: the response would exceed `limits.responseBytes`; the procedure may have run. */
export class RpcResponseTooLarge extends RpcError {
  override readonly name: string = 'RpcResponseTooLarge'
  constructor(message = 'Response too large', options?: RpcErrorOptions) {
    super(ErrorCode.RESPONSE_TOO_LARGE, message, options)
  }
}

/** -32098: no predicate authorised the call. */
export class AuthenticationError extends RpcError {
  override readonly name: string = 'AuthenticationError'
  constructor(message = 'Authentication failed', options?: RpcErrorOptions) {
    super(ErrorCode.AUTHENTICATION, message, options)
  }
}

/** -32096: the call took longer than its time limit; the procedure may still run. */
export class RpcTimeout extends RpcError {
  override readonly name: string = 'RpcTimeout'
  constructor(message = 'Timed out', options?: RpcErrorOptions) {
    super(ErrorCode.TIMEOUT, message, options)
  }
}
