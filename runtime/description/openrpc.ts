import type { Draft07Schema } from './draft-07.js'
import type { AuthArgument, AuthScheme } from './security.js'

/** An OpenRPC 1.4 document, with the members that rpc-gen writes. */
export interface OpenRpc {
  readonly openrpc: string
  readonly info: OpenRpcInfo
  readonly servers?: readonly OpenRpcServer[]
  readonly methods: readonly OpenRpcMethod[]
  readonly components?: { readonly schemas?: Readonly<Record<string, Draft07Schema>> }
  /** How callers identify themselves, by the names that rules refer to. */
  readonly 'x-security-schemes'?: Readonly<Record<string, AuthScheme>>
}

/** The name and description of an API. */
export interface OpenRpcInfo {
  readonly title: string
  /** Of the API, not of OpenRPC. */
  readonly version: string
  readonly description?: string
}

/** The address of the API; `url` is absolute. */
export interface OpenRpcServer {
  readonly url: string
  readonly name?: string
}

/** One procedure. */
export interface OpenRpcMethod {
  readonly name: string
  /** The first sentence of `description`. */
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly { readonly name: string }[]
  readonly deprecated?: boolean
  /** By name if a list of arguments, a rest parameter, has no position, and for a params object. Default: either. */
  readonly paramStructure?: 'by-name' | 'by-position' | 'either'
  /** Optional ones are last. */
  readonly params: readonly ContentDescriptor[]
  readonly result: ContentDescriptor
  readonly errors?: readonly OpenRpcError[]
  /** The schemas of the data of errors, as far as their classes declare it: an error itself has no member for a schema. */
  readonly 'x-errors'?: readonly OpenRpcErrorData[]
  readonly examples?: readonly OpenRpcExample[]
  /** The result of `system.methodSignature`; absent if XML-RPC cannot call it. */
  readonly 'x-xmlrpc-signatures'?: readonly (readonly string[])[]
  /** The protocols that may call it; absent if all may. */
  readonly 'x-protocols'?: readonly string[]
  readonly 'x-since'?: string
  /** The text of `@deprecated`. */
  readonly 'x-deprecation'?: string
  /** Where the params object is the only argument: its type. `params` has its members, as far as it declares them. */
  readonly 'x-params-object'?: ContentDescriptor
  /** Where the result is the id of a subscription: the notifications with the items, what ends it, and one item. */
  readonly 'x-subscription'?: OpenRpcSubscription
  /**
   * The callers that are authorised: lists that all have to authorise the caller, each by one of its rules; empty for everyone. Absent if it has
   * no auth of its own, and its server none either.
   */
  readonly 'x-security'?: readonly (readonly OpenRpcRule[])[]
  /** Whether a call may be sent again if its response was lost. */
  readonly 'x-idempotent'?: boolean
  /** Where the function is overloaded, what each overload accepts, in their order: a call uses the first overload that accepts it. */
  readonly 'x-overloads'?: readonly OpenRpcOverload[]
}

/** What authorises callers: its name in the source, and literal arguments. */
export interface OpenRpcRule {
  readonly rule: string
  readonly args?: readonly AuthArgument[]
  /** A key of `x-security-schemes`. */
  readonly scheme?: string
}

/** The notifications of a subscription over WebSocket. */
export interface OpenRpcSubscription {
  readonly notification: string
  readonly unsubscribe: string
  readonly item: ContentDescriptor
}

/** One signature of an overloaded function; calls by name have the names of the method's own params. Its result is one of the method's. */
export interface OpenRpcOverload {
  readonly params: readonly ContentDescriptor[]
}

/** A parameter or a result. */
export interface ContentDescriptor {
  readonly name: string
  readonly summary?: string
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly schema: Draft07Schema
  /** By position it takes all arguments from its place on; by name they are a list, which `schema` is of. */
  readonly 'x-rest'?: true
}

/** An error that the docs announce. */
export interface OpenRpcError {
  readonly code: number
  readonly message: string
}

/** The data of an error. */
export interface OpenRpcErrorData {
  readonly code: number
  readonly data: Draft07Schema
}

/** A call, and its result if the docs have it. */
export interface OpenRpcExample {
  readonly name: string
  readonly params: readonly { readonly name: string; readonly value: unknown }[]
  readonly result?: { readonly name: string; readonly value: unknown }
}

/** Title, version and servers of an API. */
export interface ApiInfo extends OpenRpcInfo {
  /** Where it is served, by absolute URLs. */
  readonly servers?: readonly OpenRpcServer[]
}

/** The title and the version of an API that specifies none. */
export const defaultInfo: OpenRpcInfo = { title: 'RPC API', version: '0.0.0' }
