// The options of a server and of its streams: for each a member with its docstring, and a row with its default, what it accepts and the
// words for that. Options are partial outside, and complete inside (`Settings`).
//
//   new RpcServer({ maxAge: 1 })  →  TypeError: RpcServer: unknown option "maxAge"; the options are auth, …
import { applyAuth, authIn } from './call/auth.js'
import { type CompleteLimits, type Limits, limitTable } from './call/limits.js'
import type { Auth, CallServer, CallSettings, Manifest, OnError } from './call/types.js'
import { codecsOf } from './compatibility/codecs.js'
import { type Compatibility, compatibilityTable, type Switches } from './compatibility/options.js'
import { type ApiInfo, defaultInfo } from './description/openrpc.js'
import { isRejection, isRpcError, type RpcError } from './error.js'
import {
  checkedLater,
  checkNames,
  choice,
  completeOptions,
  count,
  flag,
  interval,
  type OptionTable,
  objectRow,
  oneOf,
} from './option-table.js'
import { type ProtocolChoice, type ProtocolName, protocolsOf } from './protocols.js'
import type { AnyProcedures } from './types/signatures.js'
import { memoize } from './values/cache.js'

/** Options of `new RpcServer`; everything has a default. */
export interface RpcServerOptions<Procedures = AnyProcedures, Params = unknown, Json = unknown> {
  /** The `procedures` of a generated module. Default: none. */
  readonly procedures?: Manifest | Manifest<Procedures, Json, Params>
  /** Authorises callers of procedures without auth of their own or of their namespace. Default: everyone. */
  readonly auth?: Auth
  /** The protocols that the endpoint accepts; a request in another one is 415. Default: `Protocol.ALL`. */
  readonly protocol?: ProtocolChoice
  /** Whether the server has `system.listMethods` and the other `system.*` procedures, and `rpc.discover`. Default `true`. */
  readonly registerSystemProcedures?: boolean
  /**
   * Called for every error of a call or a message, not for a request that HTTP rejects before a call is known (400, 405, 415, 501, and 413
   * for a body that is not read); may return an RpcError to send instead. Default: prints errors that are not an RpcError.
   */
  readonly onError?: OnError
  /**
   * What errors contain of a rejected value, in responses and in `onError`: `'types'`, its type and size (`string of length 7`),
   * so that no password reaches a log; or `'values'`, the value itself, cut to 40 characters. Default `'types'`.
   */
  readonly errorDetails?: 'types' | 'values'
  /** The URL that a GET is redirected to, with 301. Default: a GET is 405. */
  readonly redirectGetRequestsTo?: string
  /**
   * What happens to names that are not declared: `'strip'` drops unknown keys of objects and unknown parameters, `'reject'` fails
   * with -32602 for both. Default: unknown keys are dropped and unknown parameters rejected, since "names MUST match exactly"
   * (JSON-RPC 2.0 section 4.2).
   */
  readonly unknownKeys?: 'strip' | 'reject'
  /**
   * How many entries of one batch or multicall run at once, from 1; `view` and `router({ sequential: true })` run one at a
   * time. Default: all.
   */
  readonly concurrency?: number
  /** Whether the first character decides the protocol of a request without Content-Type. Default `false`. */
  readonly sniffContentType?: boolean
  /** Whether a browser that GETs the endpoint gets a page that describes the procedures and can call them. Default `false`. */
  readonly docs?: boolean
  /**
   * Who may read the descriptions of the procedures: `system.listMethods`, `system.methodHelp`, `system.methodSignature`,
   * `rpc.discover`, `openrpc.json` and the docs page. Default: the server's `auth`.
   */
  readonly introspection?: { readonly auth: Auth }
  /** Title, version and servers in OpenRPC documents and on the docs page. Default: the title `RPC API`, the version `0.0.0`. */
  readonly info?: ApiInfo
  /** Limits of requests, responses and calls, listed below. Default: the default of each. */
  readonly limits?: Limits
  /** Responses that are streams of server-sent events, listed below. Default: the default of each. */
  readonly streams?: StreamOptions
  /** What clients need that do not follow the specifications, listed below. Default: everything is off. */
  readonly compatibility?: Compatibility
}

/** For `auth` where it is not an option: `docs`. */
export const docsAuthHint = 'introspection: { auth } of RpcServer specifies who may see the page'

/** Responses that are streams of server-sent events; everything has a default. */
export interface StreamOptions {
  /**
   * Milliseconds between comments that are sent while there is no item, so that proxies do not end the connection, and a client that has gone is
   * noticed. A client that reads nothing for twenty of them is disconnected. 0 for none. Default 15,000.
   */
  readonly heartbeatMs?: number
  /**
   * Milliseconds after which the predicates of a running stream are called again; if they do not authorise its caller any more, it ends with
   * the error -32098, or -32099 if a later rule of `{ all }` rejects the caller. 0 for never. Default 60,000.
   */
  readonly reauthorizeMs?: number
  /** How many streams of the server are open at once; a further one is rejected with -32600 and the status 503. Default 1000. */
  readonly concurrency?: number
  /** Items of a stream; with a further one it ends with -32097. Default: no limit. */
  readonly events?: number
  /** Bytes of a stream; an event that exceeds them is not sent, and it ends with -32097. Default: no limit but `responseBytes` for each item. */
  readonly bytes?: number
  /** Milliseconds that a stream may take; then it ends with -32096. 0 for no limit. Default 0. */
  readonly durationMs?: number
}

/** A row for each option of streams. */
const streamTable: OptionTable<StreamOptions, Required<StreamOptions>> = {
  heartbeatMs: interval(15_000),
  reauthorizeMs: interval(60_000),
  concurrency: count(1000),
  events: count(Number.POSITIVE_INFINITY),
  bytes: count(Number.POSITIVE_INFINITY),
  durationMs: interval(0),
}

/** Options that have no default; the compiler reports any other whose row has none. */
type WithoutDefault = 'auth' | 'protocol' | 'unknownKeys' | 'introspection' | 'redirectGetRequestsTo'

/** The options that are objects of options, with their defaults. */
interface NestedOptions {
  readonly limits: CompleteLimits
  readonly streams: Required<StreamOptions>
  readonly compatibility: Switches
}

/** The options with their defaults. */
interface Complete
  extends NestedOptions,
    Required<Omit<RpcServerOptions, WithoutDefault | keyof NestedOptions>>,
    Pick<RpcServerOptions, WithoutDefault> {}

/** What the constructor checks of each option, and its default. `resolveOptions` checks those that are `checkedLater`. */
export const serverOptions: OptionTable<RpcServerOptions, Complete> = {
  procedures: { expected: 'the procedures of a generated module', accepts: isManifest, initial: {} },
  auth: checkedLater(),
  protocol: checkedLater(),
  registerSystemProcedures: flag(true),
  onError: { initial: printUnexpected, expected: 'a function', accepts: (value) => typeof value === 'function' },
  errorDetails: choice('types', 'values'),
  redirectGetRequestsTo: { expected: 'a URL', accepts: (value) => typeof value === 'string' },
  unknownKeys: oneOf('strip', 'reject'),
  concurrency: count(Number.POSITIVE_INFINITY),
  sniffContentType: flag(false),
  docs: { ...flag(false), expected: `true or false; ${docsAuthHint}` },
  introspection: checkedLater(),
  info: { ...objectRow('an object with a title and a version'), initial: defaultInfo },
  limits: { table: limitTable },
  streams: { table: streamTable },
  compatibility: { table: compatibilityTable },
}

/** Options of `RpcServer.docs`. */
export interface DocsOptions {
  /** The URL of the RPC endpoint: a path or an http(s) URL, relative to the page. */
  readonly endpoint: string
  /** That of the WebSocket for subscriptions: a path or a ws(s) URL, relative to the page. Default: they are streams over HTTP. */
  readonly webSocket?: string
}

/** True for procedures by name, and not for a module with their functions, a server or a router. */
function isManifest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => 'with' in Object(each))
}

/** The options that are not settings as they are. */
type NotSettings = 'procedures' | 'auth' | 'protocol' | 'unknownKeys' | 'introspection'

/** The options of a server with their defaults, of calls and of the endpoint, and what follows from its registrations. */
export interface Settings extends CallSettings, Omit<Complete, NotSettings> {
  /** The protocols that the endpoint accepts. */
  readonly protocols: readonly ProtocolName[]
  /** Authorises readers of the descriptions of the procedures; absent for everyone. */
  readonly introspectionAuth?: Auth
}

/** Returns the settings for an entry point that runs the entries of a batch or a multicall one after another. */
export const sequentialSettings = /* @__PURE__ */ memoize(
  (settings: Settings): Settings => ({ ...settings, concurrency: 1 }),
)

/** The settings of a server before its registrations are known. */
export type UnboundSettings = Omit<Settings, 'table' | 'middleware' | 'bodyBounds'>

/** The settings and the server's own members. */
interface ResolvedOptions extends UnboundSettings {
  readonly procedures: Manifest
  readonly auth: Auth | undefined
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError for an option with a wrong value
 * @throws RangeError for a limit or a `concurrency` that is not a positive integer, or larger than what works
 */
export function resolveOptions(server: CallServer, options: RpcServerOptions): ResolvedOptions {
  const auth = applyAuth(authIn(options, 'RpcServer'), undefined, 'RpcServer')
  const complete = completeOptions(options, 'RpcServer', serverOptions)
  const { introspection: _, protocol, unknownKeys, ...own } = complete
  const introspectionAuth = introspectionAuthOf(options, auth)
  return {
    ...own,
    auth,
    server,
    codecFor: codecsOf(own.compatibility),
    unknownKeys: unknownKeys ?? 'strip',
    unknownParams: unknownKeys ?? 'reject',
    protocols: protocolsOf('RpcServer', protocol),
    ...(introspectionAuth && { introspectionAuth }),
  }
}

function introspectionAuthOf(options: RpcServerOptions, outer: Auth | undefined): Auth | undefined {
  if (!('introspection' in options)) return outer
  const { introspection } = options
  checkNames(introspection, 'RpcServer: introspection', { auth: true })
  const own = authIn({ auth: introspection?.auth }, 'RpcServer: introspection')
  return applyAuth(own, outer, 'introspection of RpcServer')
}

/** What predicates threw and was printed: one that is called once per request rejects each of its calls with the same error. */
const printedCauses = new WeakSet<object>()

/** Prints errors that callers do not get: also what a predicate threw, which is the cause of the error that they get. */
function printUnexpected(error: unknown): void {
  if (isRpcError(error)) {
    const cause = predicateError(error)
    if (cause === undefined) return
    if (typeof cause === 'object' && cause !== null) {
      if (printedCauses.has(cause)) return
      printedCauses.add(cause)
    }
  }
  console.error(error)
}

/** Returns what a predicate threw; undefined for other errors. MCP sends the error of a rejected caller with another code. */
function predicateError(error: RpcError): unknown {
  try {
    if (isRejection(error)) return error.cause
    return isRejection(error.cause) ? error.cause.cause : undefined
  } catch {
    // An RpcError of a procedure, whose members may throw.
    return undefined
  }
}
