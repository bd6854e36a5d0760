import type { Limits } from '../call/limits.js'
import type { ApiInfo } from '../openrpc/discover.js'
import type { ProtocolName } from '../protocol.js'
import type { Auth } from '../server/auth.js'
import type { RpcServer } from '../server/server.js'
import type { Table } from '../server/table.js'
import type { ErrorDetails } from '../values/describe.js'
import type { Codec } from './codec.js'
import type { RpcContext } from './context.js'

/**
 * Called for every error: also for an RpcError, a body that cannot be read, or a result that does not match its type; not for
 * a client that disconnects. It may return an RpcError to send instead, or a promise of one, which is awaited. What it throws
 * itself is printed, and not sent. What was thrown and is not an Error is the `cause` of the Error that it gets.
 */
export type OnError = (error: Error, context: RpcContext) => unknown

/** All that a server has decided, options and defaults, when it begins to serve. */
export interface Settings {
  readonly server: RpcServer
  /** Every procedure that can be called, `system.*` included. */
  readonly table: Table
  readonly limits: Limits
  /** Why this request cannot be served: every call fails with -32603, and `onError` gets this. */
  readonly unservable?: Error
  readonly onError: OnError
  /** What errors say of rejected values. */
  readonly errorDetails: ErrorDetails
  readonly unknownMembers: 'drop' | 'refuse'
  /** The protocols that the endpoint speaks. */
  readonly protocols: readonly ProtocolName[]
  readonly redirectGetRequestsTo?: string
  readonly sniffContentType: boolean
  /** What the API says of itself. */
  readonly info: ApiInfo
  /** Whether the endpoint itself serves the docs page. */
  readonly docs: boolean
  /** Who may see what the server describes; absent for everyone. */
  readonly introspectionAuth?: Auth
}

/** What calls are told about where their request came from. */
export type Origin = Pick<RpcContext, 'request' | 'honoContext' | 'env' | 'executionContext'>

/** One request and what its calls share. */
export interface Exchange {
  readonly settings: Settings
  /** `'http'`, or `'local'` for a call from the same process. */
  readonly transport: string
  /** The protocol's codec; undefined where values stay in the process. */
  readonly codec: Codec | undefined
  /** False for a call from the same process that nobody made on a client's behalf. */
  readonly authorises: boolean
  readonly origin: Origin
  /** Whether the entries of a batch run one after another. */
  readonly sequential: boolean
}
