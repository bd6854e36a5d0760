import { Hono } from 'hono'
import type { Call } from '../call/call.js'
import { CallContext, type RpcContext } from '../call/context.js'
import { dispatch } from '../call/dispatch.js'
import type { Exchange, Settings } from '../call/exchange.js'
import type { Manifest, Procedure } from '../call/manifest.js'
import { isRpcError, RpcInternalError } from '../error.js'
import { type Fetch, FetchHttpRequest, serveFetch } from '../http/fetch.js'
import { HonoHttpRequest, sendHono, serveHono, type View } from '../http/hono.js'
import { checkEndpoint } from '../page/endpoint.js'
import type { AnyProcedures } from '../signatures.js'
import { type Auth, authIn, optionsIn } from './auth.js'
import { serveDocsPage, serveOpenRpc } from './introspection.js'
import type { RpcNamespace } from './namespace.js'
import { completeSettings, type RpcServerOptions, whoSeesDocs } from './options.js'
import { checkNamespace, type RegisterProcedure, type Registration, registrar } from './registration.js'
import { systemProceduresFor } from './system.js'
import { type Level, levelsOf, NotCompiledError, tableOf } from './table.js'
import type { CallArguments, FunctionOf, ParamsIn, ResultOf, SystemProcedures } from './typed-call.js'

/** All that a server has decided, for the other generation's views of it. */
export let settingsOf: (server: RpcServer) => Settings

/** A Hono app that serves RPC at its `/`. */
export type Router = Hono

/**
 * Serves procedures on one endpoint, in JSON-RPC 2.0 and XML-RPC.
 *
 * `Procedures` has their function types by name, for `call`; `Params` their parameters by name. Both follow from the option
 * `procedures`. Without them, `call` accepts any name and returns `unknown`.
 *
 * @example
 * const server = new RpcServer({ procedures })
 * app.all('/rpc', server.view)
 */
export class RpcServer<Procedures = AnyProcedures, Params = unknown> {
  /** The generated procedures that it was made with. */
  readonly procedures: Manifest
  readonly auth: Auth | undefined
  readonly #registrations: Registration[] = []
  readonly #options: Omit<Settings, 'table'>
  readonly #system: readonly Procedure[]
  readonly #view: View = (c) => serveHono(c, this.#resolved(), true)
  readonly #asyncView: View = (c) => serveHono(c, this.#resolved(), false)
  readonly #openrpc: View = (c) => sendHono(c, serveOpenRpc(new HonoHttpRequest(c), this.#resolved()))
  readonly #fetch: Fetch = (request, env, executionContext) =>
    serveFetch(new FetchHttpRequest(request, env, executionContext), this.#resolved())
  #made: Made | undefined

  constructor(...passed: [options?: RpcServerOptions<Procedures, Params>]) {
    const options = optionsIn(passed, 'RpcServer') ?? {}
    this.procedures = options.procedures ?? {}
    this.auth = authIn(options, 'RpcServer')
    this.#options = completeSettings(this as unknown as RpcServer, options)
    this.#system =
      (options.registerSystemProcedures ?? true) ? systemProceduresFor(this.auth, this.#options.introspectionAuth) : []
  }

  /**
   * Registers a function that the generator compiled: as a call, or as a decorator of a static method.
   *
   * @example
   * server.registerProcedure(add, { name: 'plus', auth: isStaff })
   */
  readonly registerProcedure: RegisterProcedure = registrar((registration) => this.#add(registration))

  /** Serves a namespace: `name.procedure`, or without a prefix when there is no name. */
  registerNamespace(namespace: RpcNamespace, name?: string): this {
    checkNamespace(namespace)
    this.#add({ namespace, name })
    return this
  }

  /**
   * Responds to POST; the entries of a batch or a multicall run one after another.
   *
   * @throws Error where what is registered does not fit together: two procedures of one name, a reserved name, a namespace
   * cycle, a function without a compiled form. So do `asyncView`, `openrpc`, `router()` and `docs()`.
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
   * Responds to a request on any path; the entries of a batch or a multicall run concurrently. It needs no `this`:
   * `Bun.serve({ fetch: server.fetch })`, `export const POST = server.fetch`. `env` and `executionContext` are the context's.
   */
  get fetch(): Fetch {
    this.#resolved()
    return this.#fetch
  }

  /** Responds to GET with the OpenRPC document: `app.get('/rpc/openrpc.json', server.openrpc)`. */
  get openrpc(): View {
    this.#resolved()
    return this.#openrpc
  }

  /**
   * A Hono app to mount with `app.route('/rpc', server.router())`: the endpoint, concurrent unless `sequential`, and the
   * OpenRPC document at `/rpc/openrpc.json` where there is `rpc.discover`.
   */
  router({ sequential = false }: { readonly sequential?: boolean } = {}): Router {
    const router = new Hono().all('/', sequential ? this.view : this.asyncView)
    return this.#system.length > 0 ? router.get('/openrpc.json', this.openrpc) : router
  }

  /**
   * A Hono app with the docs page, to mount on a route of its own: `app.route('/docs', server.docs({ endpoint: '/rpc' }))`.
   * `endpoint` is where the procedures are called, relative to the page.
   */
  docs(options: { readonly endpoint: string }): Router {
    const endpoint = options?.endpoint
    checkEndpoint(endpoint)
    if ('auth' in options) throw new TypeError(`RpcServer.docs: there is no option auth; ${whoSeesDocs}`)
    this.#resolved()
    return new Hono().get('/', (c) => {
      return sendHono(c, serveDocsPage(new HonoHttpRequest(c), this.#resolved(), endpoint))
    })
  }

  /**
   * Calls a procedure from the same process: parameters and result are TypeScript values, both checked against what the
   * procedure declares. Auth is asked only when there is a context, which says on whose behalf the call is made.
   *
   * @param name a procedure; a server of type `RpcServer` without arguments accepts any name
   * @param rest the parameters, by position as a list or by name as an object; then the context
   * @throws RpcError whatever goes wrong in the call: the procedure's own, else RpcInternalError with the reason as its
   * `cause`
   * @throws Error where what is registered does not fit together
   */
  call<Name extends (unknown extends Procedures ? string : keyof Procedures | keyof SystemProcedures) & string>(
    name: Name,
    ...rest: CallArguments<FunctionOf<Procedures, Name>, ParamsIn<Params, Name>, LocalContext>
  ): Promise<ResultOf<FunctionOf<Procedures, Name>>>
  async call(name: string, params: Call['params'] = [], context?: LocalContext): Promise<unknown> {
    const settings = this.#resolved()
    const exchange = localExchange(settings, context)
    const outcome = await dispatch({ method: name, params, wantsReply: true }, new CallContext(exchange))
    if (outcome.ok) return outcome.value
    throw isRpcError(outcome.cause) ? outcome.cause : new RpcInternalError(undefined, { cause: outcome.cause })
  }

  static {
    settingsOf = (server) => server.#resolved()
  }

  /** A server in use is checked at once, and does not keep a registration that would break it. */
  #add(registration: Registration): void {
    this.#registrations.push(registration)
    try {
      if (this.#made) this.#resolved()
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
    if (this.#made && isCurrent(this.#made)) return this.#made.settings
    const level = { auth: this.auth, procedures: this.procedures, registrations: this.#registrations }
    const settings = { ...this.#options, table: tableOf(level, this.#system) }
    const levels = [...levelsOf(level)].map(({ registrations }) => ({ registrations, count: registrations.length }))
    this.#made = { settings, levels }
    return settings
  }
}

/** The settings of a server, and what was registered when they were made. */
interface Made {
  readonly settings: Settings
  readonly levels: readonly (Pick<Level, 'registrations'> & { readonly count: number })[]
}

function isCurrent({ levels }: Made): boolean {
  return levels.every(({ registrations, count }) => registrations.length === count)
}

/** On whose behalf a call from the same process is made. */
export type LocalContext = Partial<
  Pick<RpcContext, 'request' | 'honoContext' | 'transport' | 'env' | 'executionContext'>
>

function localExchange(settings: Settings, context: LocalContext | undefined): Exchange {
  let request = context?.request
  return {
    settings,
    transport: context?.transport ?? 'local',
    codec: undefined,
    authorises: context !== undefined,
    origin: {
      honoContext: context?.honoContext,
      env: context?.env,
      executionContext: context?.executionContext,
      get request() {
        request ??= new Request('http://localhost/')
        return request
      },
    },
    sequential: false,
  }
}
