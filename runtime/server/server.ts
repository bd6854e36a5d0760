// The server: its options, what is registered on it, and its entry points. Its table of procedures is made when `router()`, `view` or another
// entry point first needs it, and again after something was registered.
//
//   const server = new RpcServer({ procedures }); app.route('/rpc', server.router())
import { Hono } from 'hono'
import { bodyBoundsOf, bytesOf } from '../call/body-limits.js'
import { CallContext } from '../call/context.js'
import { dispatch } from '../call/dispatch.js'
import { isPending, isPromise } from '../call/maybe-async.js'
import { handleMessage } from '../call/reply.js'
import { createScope, LazyOrigin } from '../call/scope.js'
import type {
  Auth,
  CallParams,
  CallServer,
  LocalContext,
  Manifest,
  Middleware,
  Procedure,
  UseOptions,
} from '../call/types.js'
import { isRpcError, RpcInternalError } from '../error.js'
import { respond } from '../http/endpoint.js'
import { type FetchHandler, FetchHttpRequest, serveFetch } from '../http/fetch.js'
import { HonoHttpRequest, sendHono, type View } from '../http/hono.js'
import { docsTable, serveDocsPage, serveOpenRpc } from '../http/introspection.js'
import { EncodedJson } from '../jsonrpc/codec.js'
import {
  checkNames,
  completeOptions,
  flag,
  type OptionNames,
  type OptionTable,
  optionsIn,
  shortText,
} from '../option-table.js'
import {
  type DocsOptions,
  docsAuthHint,
  type RpcServerOptions,
  resolveOptions,
  type Settings,
  sequentialSettings,
  serverOptions,
  type UnboundSettings,
} from '../options.js'
import type { ProtocolName } from '../protocols.js'
import type { AnyProcedures } from '../types/signatures.js'
import type { CallArguments, CallName, FunctionOf, JsonResultOf, ParamsIn, ResultOf } from '../types/typed-call.js'
import type { Wire } from '../values/wire.js'
import {
  checkNamespace,
  createRegisterProcedure,
  middlewareRegistration,
  type RegisterProcedure,
  type Registration,
  type RpcNamespace,
  registrationsOf,
} from './registry.js'
import { createSystemProcedures } from './system.js'
import { middlewareOf, NotCompiledError, nodesOf, tableOf } from './table.js'

/** Returns the settings of a server, for entry points in other modules. */
export let settingsOf: (server: RpcServer) => Settings

/** A Hono app that serves RPC at its `/`. */
export type Router = Hono

/**
 * Serves procedures on one endpoint, in JSON-RPC 2.0 and XML-RPC.
 *
 * `Procedures` has their function types by name, for `call`; `Params` their parameters by name, `Json` their function types over JSON.
 * They follow from the option `procedures`. Without them, `call` accepts any name and returns `unknown`.
 *
 * @example
 * const server = new RpcServer({ procedures })
 * app.all('/rpc', server.view)
 */
export class RpcServer<Procedures = AnyProcedures, Params = unknown, Json = unknown> implements CallServer {
  /** The `procedures` of the options. */
  readonly procedures: Manifest
  /** The `auth` of the options. */
  readonly auth: Auth | undefined
  readonly #registrations: Registration[] = []
  readonly #options: UnboundSettings
  readonly #system: readonly Procedure[]
  readonly #view: View = (c) => sendHono(c, respond(new HonoHttpRequest(c), sequentialSettings(this.#resolved())))
  readonly #asyncView: View = (c) => sendHono(c, respond(new HonoHttpRequest(c), this.#resolved()))
  readonly #openrpc: View = (c) => sendHono(c, serveOpenRpc(new HonoHttpRequest(c), this.#resolved()))
  readonly #fetch: FetchHandler = (request, env, executionContext) =>
    serveFetch(new FetchHttpRequest(request, env, executionContext), this.#resolved())
  #latest: ResolvedServer | undefined

  /**
   * @throws TypeError for options that are undefined, and for an option that does not exist or has a wrong value
   * @throws RangeError for a limit or a `concurrency` that is not a positive integer, or larger than what works
   */
  constructor(...passed: [options?: RpcServerOptions<Procedures, Params, Json>]) {
    const options = optionsIn(passed, 'RpcServer', serverOptions) ?? {}
    const { procedures, auth, ...settings } = resolveOptions(this, options)
    this.procedures = procedures
    this.auth = auth
    this.#options = settings
    this.#system = settings.registerSystemProcedures ? createSystemProcedures({ ...settings, auth }) : []
  }

  /**
   * Registers a function that the generator compiled: as a call, or as a decorator of a static method.
   *
   * @example
   * server.registerProcedure(add, { name: 'plus', auth: isStaff })
   */
  readonly registerProcedure: RegisterProcedure = createRegisterProcedure((registration) => this.#add(registration))

  /**
   * Serves a namespace: `name.procedure`, or without a prefix if there is no name.
   *
   * @throws TypeError if it is not an RpcNamespace, for instance because of an import cycle
   * @throws Error if the server is in use and the registrations conflict
   */
  registerNamespace(namespace: RpcNamespace, name?: string): this {
    checkNamespace(namespace, name)
    this.#add({ namespace, name })
    return this
  }

  /**
   * Runs a middleware around each call, in the order of `use`, outermost first: calls of every procedure, entries of batches and
   * multicalls, system procedures and unknown names. It applies to all procedures, also to those that were registered before,
   * and from the next request on if the server is in use.
   *
   * With `{ after: 'auth' }` it runs for calls of procedures that are authorised, with `{ after: 'validation' }` for those whose parameters are
   * valid too.
   *
   * @example
   * server.use(async (context, next) => {
   *   const start = performance.now()
   *   try {
   *     return await next()
   *   } finally {
   *     console.log(context.method, performance.now() - start)
   *   }
   * })
   *
   * @throws TypeError if it is not a function, or for options that are undefined, do not exist or have a wrong value
   */
  use(middleware: Middleware, ...passed: [options?: UseOptions]): this {
    this.#add(middlewareRegistration(middleware, passed, 'RpcServer'))
    return this
  }

  /**
   * Responds to POST; the entries of a batch or a multicall run one after another.
   *
   * @throws Error if the registrations conflict: two procedures with one name, a reserved name, a namespace that contains itself, or a
   * function that was not compiled. `asyncView`, `fetch`, `openrpc`, `router()` and `docs()` throw it too.
   */
  get view(): View {
    this.#resolved()
    return this.#view
  }

  /** Responds to POST; the entries of a batch or a multicall run concurrently, their responses are in order. */
  get asyncView(): View {
    this.#resolved()
    return this.#asyncView
  }

  /**
   * Responds to a request on any path; the entries of a batch or a multicall run concurrently. It does not use `this`:
   * `Bun.serve({ fetch: server.fetch })`, `export const POST = server.fetch`. `env` and `executionContext` are passed to the context.
   * On Node pass the `env` of the adapter: without it, a call over HTTP/2 still runs if its client cancels the request after sending
   * the body.
   */
  get fetch(): FetchHandler {
    this.#resolved()
    return this.#fetch
  }

  /** Responds to GET with the OpenRPC document: `app.get('/rpc/openrpc.json', server.openrpc)`. */
  get openrpc(): View {
    this.#resolved()
    return this.#openrpc
  }

  /**
   * Returns a Hono app with the endpoint and, if there is `rpc.discover`, the OpenRPC document at `openrpc.json`. The entries of a
   * batch or a multicall run concurrently, or with `sequential` one after another.
   *
   * @example
   * app.route('/rpc', server.router())
   * @throws TypeError for an option that does not exist or has a wrong value
   */
  router(options: RouterOptions = {}): Router {
    const { sequential } = completeOptions(options, 'RpcServer.router', routerTable)
    const router = new Hono().all('/', sequential ? this.view : this.asyncView)
    return this.#system.length > 0 ? router.all('/openrpc.json', this.openrpc) : router
  }

  /**
   * Returns a Hono app with the docs page, for a route of its own.
   *
   * @example
   * app.route('/docs', server.docs({ endpoint: '/rpc' }))
   * @throws TypeError for an option that does not exist or has a wrong value, and without `endpoint`
   */
  docs(options: DocsOptions): Router {
    if ('auth' in (options ?? {})) throw new TypeError(`RpcServer.docs: unknown option "auth"; ${docsAuthHint}`)
    const addresses = completeOptions(options, 'RpcServer.docs', docsTable)
    this.#resolved()
    return new Hono().get('/', (c) => {
      return sendHono(c, serveDocsPage(new HonoHttpRequest(c), this.#resolved(), addresses))
    })
  }

  /**
   * Calls a procedure from the same process: parameters and result are TypeScript values, both checked against what the
   * procedure declares. Predicates are called only if the caller's context is passed.
   *
   * @param name the name of a procedure; any name if the type of the server is `RpcServer` without type arguments
   * @param rest the parameters, as a list by position or as an object by name, then the context
   * @throws RpcError if the call fails: the error that the procedure threw if it is an RpcError, otherwise an RpcInternalError with that
   * error as its `cause`
   * @throws Error if the registrations conflict
   */
  call<Name extends string>(
    name: CallName<Procedures, Name>,
    ...rest: CallArguments<FunctionOf<Procedures, Name>, ParamsIn<Params, Name>, LocalContext>
  ): Promise<ResultOf<FunctionOf<Procedures, Name>>>
  async call(name: string, params: CallParams = [], context?: LocalContext): Promise<unknown> {
    return this.#call(name, params, context)
  }

  /**
   * The same with the result as JSON has it: Date, bigint, bytes and custom scalars are what a client of JSON-RPC receives. For a
   * route of your own, `c.json(await server.callJson('stock.get', [sku]))`, and data that a page is rendered with.
   *
   * @throws RpcError if the call fails, also because JSON cannot represent the result
   */
  callJson<Name extends string>(
    name: CallName<Procedures, Name>,
    ...rest: CallArguments<FunctionOf<Procedures, Name>, ParamsIn<Params, Name>, LocalContext>
  ): Promise<JsonResultOf<Json, Name>>
  async callJson(name: string, params: CallParams = [], context?: LocalContext): Promise<unknown> {
    const codec = await this.#resolved().codecFor('json-rpc')
    const value = await this.#call(name, params, context, codec.wires.encode)
    // undefined is the result of a `toJSON()`: a response has null for it.
    return value instanceof EncodedJson ? JSON.parse(value.text) : (value ?? null)
  }

  async #call(name: string, params: CallParams, context?: LocalContext, resultWire?: Wire): Promise<unknown> {
    const scope = createScope(this.#resolved(), undefined, new LazyOrigin(context ?? {}), {
      transport: context?.transport ?? 'local',
      requireAuth: context !== undefined,
      resultWire,
    })
    const call = { method: name, params, wantsReply: true }
    const outcome = await dispatch(new CallContext(scope, call), (outcome) => outcome)
    if (outcome.ok) return outcome.value
    throw isRpcError(outcome.cause) ? outcome.cause : new RpcInternalError(undefined, { cause: outcome.cause })
  }

  /**
   * Handles the text of one message, for transports other than HTTP: WebSocket, queues, stdio. Predicates are called. A text that
   * exceeds `limits.bodyBytes`, or the `@maxBody` of the procedure, fails with -32600.
   *
   * @returns the text of the response; undefined if there is nothing to send, as for a notification
   * @throws TypeError if the text is not a string, the server does not accept the protocol, or an option does not exist
   * @throws Error if the registrations conflict
   */
  async handle(text: string, options?: HandleOptions): Promise<string | undefined> {
    if (options !== undefined) checkNames(options, 'RpcServer.handle', handleOptionNames)
    const { protocol = 'json-rpc', transport = 'text' } = options ?? {}
    const settings = this.#resolved()
    if (typeof text !== 'string') throw new TypeError(`RpcServer.handle: expected a string, got ${typeof text}`)
    if (!settings.protocols.includes(protocol)) {
      const expected = settings.protocols.join(' or ')
      throw new TypeError(`RpcServer.handle: protocol is ${JSON.stringify(protocol)}, expected ${expected}`)
    }
    const bodyBytes = bytesOf(text, settings.bodyBounds)
    const codec = settings.codecFor(protocol)
    const origin = new LazyOrigin(options ?? {})
    const scope = createScope(settings, isPromise(codec) ? await codec : codec, origin, { transport, bodyBytes })
    const reply = handleMessage(text, scope)
    return (isPending(reply) ? await reply : reply).text
  }

  static {
    settingsOf = (server) => {
      if (server instanceof RpcServer && #options in server) return server.#resolved()
      const why =
        server === undefined ? 'is it part of an import cycle' : 'is it not the server, or is rpc-gen installed twice'
      throw new TypeError(`expected an RpcServer of this copy of rpc-gen, got ${shortText(server)}; ${why}?`)
    }
  }

  /** A server in use is checked at once, and does not keep a registration that would break it. */
  #add(registration: Registration): void {
    this.#registrations.push(registration)
    try {
      if (this.#latest) this.#resolved()
    } catch (error) {
      if (error instanceof NotCompiledError) return
      this.#registrations.pop()
      throw error
    }
  }

  /**
   * Made when it is first needed, since modules register functions before the generated module has compiled them, and again
   * where something has been registered since.
   */
  #resolved(): Settings {
    const latest = this.#latest
    if (latest?.nodes.every(isCurrent)) return latest.settings
    const node = { auth: this.auth, procedures: this.procedures, registrations: this.#registrations }
    const table = tableOf(node, this.#system, this.#options.compatibility)
    const bodyBounds = bodyBoundsOf(table, this.#options.limits)
    const settings = { ...this.#options, table, middleware: middlewareOf(node), bodyBounds }
    const nodes = [...nodesOf(node)].map(registrationsOf).map((each) => ({ registrations: each, count: each.length }))
    this.#latest = { settings, nodes }
    return settings
  }
}

/** The settings of a server, and what was registered when they were made. */
interface ResolvedServer {
  readonly settings: Settings
  readonly nodes: readonly ResolvedNode[]
}

interface ResolvedNode {
  readonly registrations: readonly Registration[]
  /** How many registrations there were. */
  readonly count: number
}

function isCurrent({ registrations, count }: ResolvedNode): boolean {
  return registrations.length === count
}

/** Options of `RpcServer.router`; everything has a default. */
export interface RouterOptions {
  /** Whether the entries of a batch or a multicall run one after another. Default `false`. */
  readonly sequential?: boolean
}

const routerTable: OptionTable<RouterOptions, Required<RouterOptions>> = { sequential: flag(false) }

/** Options of `RpcServer.handle`: the protocol of the message, and the context of its calls. */
export interface HandleOptions extends LocalContext {
  /** The protocol of the message. Default `'json-rpc'`. */
  readonly protocol?: ProtocolName
}

const handleOptionNames: OptionNames<HandleOptions> = {
  protocol: true,
  request: true,
  honoContext: true,
  transport: true,
  env: true,
  executionContext: true,
}
