/**
 * rpc-gen at run time: serve what `npx rpc-gen` has generated.
 *
 * @module
 */
export { type Auth, type AuthPredicate, oncePerRequest } from './auth.js'
export { defineConfig, type RpcConfig } from './config.js'
export type { RpcContext } from './context.js'
export { type BasicCredentials, basicAuth, bearerToken, constantTimeEqual } from './credentials.js'
export type { ErrorDetails } from './describe.js'
export type { View } from './endpoint.js'
export {
  type AllEntryPoints,
  type EntryPointOptions,
  RPCEntryPoint,
  type RpcAppOptions,
  type RpcMethodOptions,
  rpcApp,
  rpcMethod,
} from './entry-point.js'
export {
  AuthenticationError,
  ErrorCode,
  isRpcError,
  RpcError,
  type RpcErrorOptions,
  RpcInsecureRequest,
  RpcInternalError,
  RpcInvalidParams,
  RpcInvalidRequest,
  RpcMethodNotFound,
  RpcParseError,
  RpcResponseTooLarge,
} from './error.js'
export type { OnError } from './exchange.js'
export type { Issue } from './issue.js'
export type { Limits } from './limits.js'
export type { Manifest, Procedure, Returns, Signature } from './manifest.js'
export { RpcNamespace, type RpcNamespaceOptions } from './namespace.js'
export type { ApiInfo } from './openrpc/discover.js'
export type { OpenRpc } from './openrpc/openrpc.js'
export type { Param } from './param.js'
export { Protocol, type ProtocolChoice, type ProtocolName } from './protocol.js'
export type { RegisterOptions, RegisterProcedure } from './registration.js'
export { type LocalContext, type Router, RpcServer } from './server.js'
export type { RpcServerOptions } from './server-options.js'
export type { Double, Int } from './types.js'
export type { WireType } from './wire-type.js'
