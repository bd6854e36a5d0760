/**
 * A typed client: for procedures that rpc-gen serves, and for other servers of JSON-RPC 2.0 and XML-RPC.
 *
 * @module
 */
export { type InvalidParams, isInvalidParams, isRpcError, RpcError, type RpcErrorGuard } from '../error.js'
export type { AnyProcedures } from '../types/signatures.js'
export type {
  IssueCode,
  IssueDetails,
  IssueLimits,
  IssueRule,
  IssueType,
  IssueValue,
  PathSegment,
  ValidationIssue,
} from '../values/issue.js'
export type { Decoded } from '../values/scalar-codec.js'
export { defineScalar, type Scalar, type ScalarCodec, type ScalarSchema } from '../values/scalar-codec.js'
export type { RpcParams } from '../values/types.js'
export { type Client, type ClientMembers, createClient, type DeclaredErrors } from './client.js'
export { type CustomScalars, scalarCodecs, tableCodec } from './codec.js'
export type { ReceivedResponse, TransportResponse } from './errors.js'
export { RpcTransportError, RpcValueError } from './errors.js'
export type { BatchOutcomes, BatchResults, RemoteMembers, RpcRequest } from './members.js'
export type {
  ApiKeyAuth,
  BasicAuth,
  BearerAuth,
  CallOptions,
  ClientAuth,
  ClientCodec,
  ClientCompatibility,
  ClientOptions,
  Fetch,
  HeadersSource,
  OneOf,
  Retries,
  RpcCall,
  Transport,
  TransportSettings,
} from './options.js'
export type { SubscribeOptions, SubscribingClient } from './subscriptions.js'
export type {
  ClientMembersTable,
  ClientMethod,
  ClientScalar,
  ClientStruct,
  ClientTable,
  ClientType,
  ClientUnion,
} from './table.js'
export { type XmlRpcOptions, type XmlRpcType, xmlRpc } from './xmlrpc.js'
