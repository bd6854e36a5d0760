import type { Codec } from '../call/types.js'
import type { Switches } from '../compatibility.js'
import { ErrorCode } from '../error.js'

/** The status of a response that is an error, and the headers that it needs. */
export interface ErrorStatus {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The status of other codes is 500. */
const statuses: ReadonlyMap<number, number> = new Map([
  [ErrorCode.PARSE_ERROR, 400],
  [ErrorCode.INVALID_REQUEST, 400],
  [ErrorCode.INVALID_PARAMS, 400],
  [ErrorCode.AUTHENTICATION, 403],
  [ErrorCode.FORBIDDEN, 403],
  [ErrorCode.METHOD_NOT_FOUND, 404],
])

/** The codec of one request that remembers its error, for the HTTP status. */
export interface StatusCodec {
  readonly codec: Codec
  /** Returns the status of the response; undefined for 200. */
  status(): ErrorStatus | undefined
}

/** Wraps a codec for one request. Entries of batches and multicalls do not decide its status. */
export function statusCodec(codec: Codec, { httpStatus, authChallenge }: Switches): StatusCodec {
  let code: number | undefined
  return {
    codec: {
      ...codec,
      encodeError(entry, error) {
        code = error.code
        return codec.encodeError(entry, error)
      },
      encodeMessage(kind, replies, call) {
        if (kind !== 'single') code = undefined
        return codec.encodeMessage(kind, replies, call)
      },
    },
    status() {
      if (code === ErrorCode.AUTHENTICATION && authChallenge !== undefined) {
        return { status: 401, headers: { 'WWW-Authenticate': authChallenge } }
      }
      if (code === undefined || !httpStatus || codec.protocol === 'xml-rpc') return undefined
      return { status: statuses.get(code) ?? 500 }
    },
  }
}
