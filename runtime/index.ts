/**
 * The server, errors, constraints and types for procedures.
 *
 * @module
 */

// Servers and their entry points

export type { Limits } from './call/limits.js'
export type { Compatibility } from './compatibility/options.js'
export type { ApiInfo, OpenRpc } from './description/openrpc.js'
export type { FetchHandler } from './http/fetch.js'
export type { View } from './http/hono.js'
export type { DocsOptions, RpcServerOptions, StreamOptions } from './options.js'
export { Protocol, type ProtocolChoice, type ProtocolName } from './protocols.js'
export {
  type RegisterOptions,
  type RegisterProcedure,
  RpcNamespace,
  type RpcNamespaceOptions,
} from './server/registry.js'
export { type HandleOptions, type Router, type RouterOptions, RpcServer } from './server/server.js'
export type { AnyProcedures } from './types/signatures.js'

// Calls: their context, auth and middleware

export { oncePerRequest } from './call/auth.js'
export { type AuthRuleName, type AuthScheme, defineAuth, type WithScheme } from './call/auth-scheme.js'
export type { Awaitable } from './call/maybe-async.js'
export { withEventId } from './call/subscribe.js'
export type {
  Auth,
  AuthPredicate,
  AuthRule,
  AuthRules,
  CallParams,
  CallServer,
  LocalContext,
  Manifest,
  Middleware,
  Next,
  NextResult,
  Notify,
  OnError,
  ProcedureInfo,
  Returns,
  RpcContext,
  RpcEnv,
  Signature,
  UseOptions,
} from './call/types.js'
export { type BasicCredentials, constantTimeEqual, extractBasicAuth, extractBearerToken } from './server/credentials.js'

// Errors

export {
  AuthenticationError,
  ErrorCode,
  ForbiddenError,
  type InvalidParams,
  isInvalidParams,
  isRpcError,
  RpcError,
  type RpcErrorGuard,
  type RpcErrorOptions,
  RpcInsecureRequest,
  RpcInternalError,
  RpcInvalidParams,
  RpcInvalidRequest,
  RpcMethodNotFound,
  RpcParseError,
  RpcResponseTooLarge,
  RpcTimeout,
} from './error.js'
export type {
  IssueCode,
  IssueDetails,
  IssueLimits,
  IssueRule,
  IssueType,
  IssueValue,
  PathSegment,
  ValidationIssue,
} from './values/issue.js'

// Types of parameters and results, which the generator reads

export type {
  ExclusiveMaximum,
  ExclusiveMinimum,
  Format,
  MaxItems,
  Maximum,
  MaxLength,
  MinItems,
  Minimum,
  MinLength,
  MultipleOf,
  Pattern,
  UniqueItems,
} from './values/constraint-types.js'
export { defineScalar, type Scalar, type ScalarCodec, type ScalarSchema } from './values/scalar-codec.js'
export type { Data, Double, DoubleTag, Int, IntTag, Param, WireType } from './values/types.js'

// The configuration of the command

export { defineConfig, type RpcConfig } from './config.js'

// The legacy entry points

export {
  type AllEntryPoints,
  type EntryPointOptions,
  RPCEntryPoint,
  type RpcAppOptions,
  type RpcMethodOptions,
  rpcApp,
  rpcMethod,
} from './legacy/entry-point.js'
