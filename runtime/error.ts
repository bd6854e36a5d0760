// The errors that callers see, with their codes, and what is recognised as one: errors of another copy of the package too.
// Whatever else a procedure throws is "Internal error" to callers.
//
//   throw new RpcError(404, 'no such book')  →  {"error":{"code":404,"message":"no such book"}}
import type { ValidationIssue } from './values/issue.js'

const brand = Symbol.for('rpc-gen.RpcError')

/** The error codes of JSON-RPC 2.0 section 5.1, which XML-RPC faults share (Dan Libby's list), and that of a cancelled request (LSP 3.17). */
export const ErrorCode = {
  PARSE_ERROR: -32700,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL_ERROR: -32603,
  AUTHENTICATION: -32098,
  FORBIDDEN: -32099,
  RESPONSE_TOO_LARGE: -32097,
  TIMEOUT: -32096,
  REQUEST_CANCELLED: -32800,
} as const

/** Options of the constructors of RpcError and its subclasses. */
export interface RpcErrorOptions<Data = unknown> {
  /** The `cause` of the error, which is not sent. Default: none. */
  readonly cause?: unknown
  /**
   * A JSON value that is sent as the `data` of the error, even if it is falsy. A fault of XML-RPC has it with
   * `compatibility.xmlRpcFaultData` only. Default: none is sent.
   */
  readonly data?: Data
}

/**
 * The error that callers see: its code, message and data are sent. Any other error of a procedure is sent as "Internal
 * error". A class that names the types of its code and data makes them known to clients, by `@throws` of a procedure.
 *
 * @example
 * throw new RpcError(404, 'No such order', { data: { id } })
 *
 * @example
 * class NoSuchOrder extends RpcError<4444, { id: number }> {
 *   constructor(id: number) {
 *     super(4444, 'No such order', { data: { id } })
 *   }
 * }
 */
export class RpcError<Code extends number = number, Data = unknown> extends Error {
  override readonly name: string = 'RpcError'
  /** An integer; those from -32768 to -32000 are reserved (JSON-RPC 2.0 section 5.1). */
  readonly code: Code
  /** Absent if the error has none. */
  declare readonly data?: Data
  /** In a client: the HTTP status of the response that contains the error. Absent for other errors. Not enumerable. */
  declare readonly status?: number
  /** In a client: the headers of that response. Not enumerable, so that logs do not contain them. */
  declare readonly headers?: Headers

  constructor(code: Code, message: string, options: RpcErrorOptions<Data> = {}) {
    super(message, options)
    this.code = code
    if ('data' in options) this.data = options.data
  }
}
// Of the class: defined on each error, it takes as long as the rest of the constructor.
;(RpcError.prototype as { [brand]?: boolean })[brand] = true

/**
 * Returns what `make` returns, usually an error, without a stack trace: the place in the server where a message was found to be
 * wrong is of no use, and to capture it takes longer than a call.
 */
export function withoutStack<T>(make: () => T): T {
  const traces = Error as { stackTraceLimit?: number | undefined }
  const { stackTraceLimit } = traces
  // Only V8 and JavaScriptCore have it, and an application may have frozen it.
  if (stackTraceLimit === undefined || Object.isFrozen(Error)) return make()
  traces.stackTraceLimit = 0
  try {
    return make()
  } finally {
    traces.stackTraceLimit = stackTraceLimit
  }
}

/** Like `instanceof`, for what anyone may have thrown: false for a proxy whose traps throw. */
export function isInstance<T>(value: unknown, of: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof of
  } catch {
    return false
  }
}

/**
 * True if this is an RpcError, even of another copy of this package; with `code`, only if it has that code. The type of
 * `data` is then `unknown`: RpcErrorGuard narrows it too.
 *
 * @example
 * if (isRpcError(error, 4444)) console.log(error.data)
 */
export function isRpcError(error: unknown): error is RpcError
export function isRpcError<Code extends number, Data = unknown>(
  error: unknown,
  code: Code,
): error is RpcError<Code, Data>
export function isRpcError(error: unknown, code?: number): boolean {
  try {
    return (
      typeof error === 'object' &&
      error !== null &&
      brand in error &&
      (code === undefined || (error as { code?: unknown }).code === code)
    )
  } catch {
    // A proxy, whose traps throw.
    return false
  }
}

/** An "Invalid params" error (-32602) with the issues of the parameters. */
export interface InvalidParams extends RpcError<typeof ErrorCode.INVALID_PARAMS, readonly ValidationIssue[]> {
  readonly data: readonly ValidationIssue[]
}

/**
 * True if this is an "Invalid params" error (-32602) whose data is a list of issues: parameters that do not match the declared types. In
 * a server, what `onError` and middleware get; in a client, what a call rejects with. False for an error with this code that has
 * other data, or none, as a fault of XML-RPC by default.
 *
 * @example
 * if (isInvalidParams(error)) for (const { path, code } of error.data) form.setError(path.join('.'), code)
 */
export function isInvalidParams(error: unknown): error is InvalidParams {
  try {
    return isRpcError(error, ErrorCode.INVALID_PARAMS) && Array.isArray(error.data) && error.data.every(isIssue)
  } catch {
    // A proxy, whose traps throw.
    return false
  }
}

function isIssue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { path, code } = value as Partial<ValidationIssue>
  return Array.isArray(path) && typeof code === 'string'
}

/** True for an error by which code notices that its signal was aborted. Never throws, whatever was thrown. */
export function isAbortError(error: unknown): boolean {
  try {
    return (error as { readonly name?: unknown } | null | undefined)?.name === 'AbortError'
  } catch {
    return false
  }
}

/**
 * `isRpcError` for the declared errors of a procedure or an API: `code` has to be a declared one, and narrows `code` and `data`.
 *
 * @example
 * const isFindError: RpcErrorGuard<JsonErrors['order.find']> = isRpcError
 */
export type RpcErrorGuard<Errors extends RpcError> = <Code extends Errors['code']>(
  error: unknown,
  code: Code,
) => error is Extract<Errors, { readonly code: Code }>

/** -32700: the body is not well-formed. */
export class RpcParseError extends RpcError<typeof ErrorCode.PARSE_ERROR> {
  override readonly name: string = 'RpcParseError'
  constructor(message = 'Parse error', options?: RpcErrorOptions) {
    super(ErrorCode.PARSE_ERROR, message, options)
  }
}

/** -32700: the body contains markup that a secure parser rejects, a DOCTYPE or an entity declaration. */
export class RpcInsecureRequest extends RpcParseError {
  override readonly name: string = 'RpcInsecureRequest'
}

/** -32600: well-formed, but not a request. */
export class RpcInvalidRequest extends RpcError<typeof ErrorCode.INVALID_REQUEST> {
  override readonly name: string = 'RpcInvalidRequest'
  constructor(message = 'Invalid Request', options?: RpcErrorOptions) {
    super(ErrorCode.INVALID_REQUEST, message, options)
  }
}

/** -32601: the protocol has no procedure of this name. */
export class RpcMethodNotFound extends RpcError<typeof ErrorCode.METHOD_NOT_FOUND> {
  override readonly name: string = 'RpcMethodNotFound'
  constructor(message = 'Method not found', options?: RpcErrorOptions) {
    super(ErrorCode.METHOD_NOT_FOUND, message, options)
  }
}

/** -32602: the arguments do not match the declared types; `data` is a list of ValidationIssue, which `isInvalidParams` narrows it to. */
export class RpcInvalidParams extends RpcError<typeof ErrorCode.INVALID_PARAMS> {
  override readonly name: string = 'RpcInvalidParams'
  constructor(message = 'Invalid params', options?: RpcErrorOptions) {
    super(ErrorCode.INVALID_PARAMS, message, options)
  }
}

/** -32603: the procedure failed, or its result does not match its declared type. */
export class RpcInternalError extends RpcError<typeof ErrorCode.INTERNAL_ERROR> {
  override readonly name: string = 'RpcInternalError'
  constructor(message = 'Internal error', options?: RpcErrorOptions) {
    super(ErrorCode.INTERNAL_ERROR, message, options)
  }
}

/** -32097: the response would exceed `limits.responseBytes`; the procedure may have run. */
export class RpcResponseTooLarge extends RpcError<typeof ErrorCode.RESPONSE_TOO_LARGE> {
  override readonly name: string = 'RpcResponseTooLarge'
  constructor(message = 'Response too large', options?: RpcErrorOptions) {
    super(ErrorCode.RESPONSE_TOO_LARGE, message, options)
  }
}

/** -32098: the caller is not known: no predicate accepted the request. */
export class AuthenticationError extends RpcError<typeof ErrorCode.AUTHENTICATION> {
  override readonly name: string = 'AuthenticationError'
  constructor(message = 'Authentication failed', options?: RpcErrorOptions) {
    super(ErrorCode.AUTHENTICATION, message, options)
  }
}

/** -32099: the caller is known, and may not make the call. A predicate throws it to state what is missing. */
export class ForbiddenError extends RpcError<typeof ErrorCode.FORBIDDEN> {
  override readonly name: string = 'ForbiddenError'
  constructor(message = 'Not allowed', options?: RpcErrorOptions) {
    super(ErrorCode.FORBIDDEN, message, options)
  }
}

/** True for the error of a caller that is not authorised. @throws what the traps of a proxy throw */
export function isRejection(error: unknown): error is AuthenticationError | ForbiddenError {
  return error instanceof AuthenticationError || error instanceof ForbiddenError
}

/** Returns the error of a message that is not handled because of many others: it may be sent again. */
export function serverBusy(reason: string): RpcError {
  return new RpcError(-32000, `Server busy: ${reason}`)
}

/** -32096: the call took longer than its time limit; the procedure may still run. */
export class RpcTimeout extends RpcError<typeof ErrorCode.TIMEOUT> {
  override readonly name: string = 'RpcTimeout'
  constructor(message = 'Timed out', options?: RpcErrorOptions) {
    super(ErrorCode.TIMEOUT, message, options)
  }
}
