import { Hono } from 'hono'
import { CallContext, type RpcContext } from './context.js'
import { dispatch } from './dispatch.js'
import { serve, type View } from './endpoint.js'
import { isRpcError, RpcError } from './error.js'
import type { Exchange, OnError, Settings } from './exchange.js'
import { completeLimits, type Limits } from './limits.js'
import type { Manifest, Procedure } from './manifest.js'
import { type ProtocolChoice, protocolsOf } from './protocol.js'
import { systemProcedures } from './system.js'

/** What `new RpcServer` takes; everything has a default. */
export interface RpcServerOptions {
  /** The `procedures` of a generated module. Default: none. */
  readonly procedures?: Manifest
  /** The protocols that are spoken here. Default: every one. */
  readonly protocol?: ProtocolChoice
  /** Whether there are `system.listMethods` and its like. Default true. */
  readonly registerSystemProcedures?: boolean
  /** Called for every error. Default: prints to the console what is not an RpcError. */
  readonly onError?: OnError
  /** Where a GET goes, with 301; else it is answered with 405. */
  readonly redirectGetRequestsTo?: string
  /** Members that no declared type has: dropped (the default), or refused with -32602. */
  readonly unknownMembers?: 'drop' | 'refuse'
  /** Whether a request without Content-Type may be told by its first character. Default false. */
  readonly sniffContentType?: boolean
  readonly limits?: Partial<Limits>
}

/** A Hono app that serves RPC at its `/`. */
export type Router = Hono

/**
 * Serves procedures on one endpoint, in JSON-RPC 2.0 and XML-RPC.
 *
 * @example
 * const server = new RpcServer({ procedures })
 * app.all('/rpc', server.view)
 */
export class RpcServer {
  /** The procedures served here, without `system.*`. */
  readonly procedures: Manifest
  readonly #settings: Settings

  constructor(options: RpcServerOptions = {}) {
    this.procedures = options.procedures ?? Object.freeze({})
    this.#settings = complete(this, options)
  }

  /** Answers POST; the entries of a batch or a multicall run one after another. */
  readonly view: View = (c) => serve(c, this.#settings, true)

  /** Answers POST; the entries of a batch or a multicall run concurrently, and are answered in order. */
  readonly asyncView: View = (c) => serve(c, this.#settings, false)

  /** A Hono app to mount with `app.route('/rpc', server.router())`; concurrent unless `sequential`. */
  router({ sequential = false }: { readonly sequential?: boolean } = {}): Router {
    return new Hono().all('/', sequential ? this.view : this.asyncView)
  }

  /**
   * Calls a procedure from the same process: parameters and result are TypeScript values, both checked against what the
   * procedure declares.
   *
   * @param params by position, or by name
   * @throws RpcError whatever goes wrong, as a promise that rejects
   */
  async call(
    name: string,
    params: readonly unknown[] | Readonly<Record<string, unknown>> = [],
    context?: Partial<Pick<RpcContext, 'request' | 'honoContext' | 'transport'>>,
  ): Promise<unknown> {
    const call = { method: name, params, wantsReply: true }
    const outcome = await dispatch(call, new CallContext(localExchange(this.#settings, context)))
    if (outcome.ok) return outcome.value
    const { error } = outcome
    throw isRpcError(error)
      ? error
      : new RpcError(error.code, error.message, 'data' in error ? { data: error.data } : {})
  }
}

function complete(server: RpcServer, options: RpcServerOptions): Settings {
  const { redirectGetRequestsTo } = options
  return {
    server,
    table: tableOf(server.procedures, options.registerSystemProcedures ?? true),
    limits: completeLimits(options.limits),
    onError: options.onError ?? printUnexpected,
    unknownMembers: options.unknownMembers ?? 'drop',
    protocols: protocolsOf(options.protocol),
    sniffContentType: options.sniffContentType ?? false,
    ...(redirectGetRequestsTo === undefined ? {} : { redirectGetRequestsTo }),
  }
}

function tableOf(procedures: Manifest, system: boolean): Map<string, Procedure> {
  const all = [...Object.values(procedures), ...(system ? systemProcedures : [])]
  return new Map(all.map((procedure) => [procedure.name, procedure]))
}

function printUnexpected(error: unknown): void {
  if (!isRpcError(error)) console.error(error)
}

function localExchange(
  settings: Settings,
  context: Partial<Pick<RpcContext, 'request' | 'honoContext' | 'transport'>> = {},
): Exchange {
  const { request, honoContext, transport = 'local' } = context
  let synthetic = request
  return {
    settings,
    transport,
    codec: undefined,
    honoContext,
    request: () => {
      synthetic ??= new Request('http://localhost/')
      return synthetic
    },
    sequential: false,
  }
}
