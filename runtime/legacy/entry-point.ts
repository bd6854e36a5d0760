import type { MiddlewareHandler } from 'hono'
import { authIn } from '../call/auth.js'
import { compiledForm } from '../call/procedure.js'
import type { Manifest, Middleware, Procedure } from '../call/types.js'
import type { View } from '../http/hono.js'
import { checkedLater, checkOptions, completeOptions, type OptionTable, optionsIn } from '../option-table.js'
import { type RpcServerOptions, serverOptions } from '../options.js'
import { type ProtocolChoice, protocolsOf } from '../protocols.js'
import { type AnyFunction, nameRow, ownName, type RegisterOptions } from '../server/registry.js'
import { RpcServer } from '../server/server.js'
import { hasMethodsModules } from './manifest.js'

const all = Symbol('RPCEntryPoint.ALL')

/** Every entry point. */
export type AllEntryPoints = typeof all

/** How `rpcMethod` marks a function; everything has a default. */
export interface RpcMethodOptions extends Pick<RegisterOptions, 'name' | 'protocol' | 'auth'> {
  /** The entry points that serve it: a name, a list of names, or `RPCEntryPoint.ALL`, the default. */
  readonly entryPoint?: string | readonly string[] | AllEntryPoints
}

/** Which procedures a view serves. */
export interface EntryPointOptions {
  /** The name of the entry point. Default: `'default'`. */
  readonly entryPoint?: string
  /** The protocols that the view accepts. Default: `Protocol.ALL`. */
  readonly protocol?: ProtocolChoice
}

const isName = (value: unknown) => typeof value === 'string'

const methodTable: OptionTable<RpcMethodOptions> = {
  name: nameRow,
  protocol: checkedLater(),
  auth: checkedLater(),
  entryPoint: {
    expected: 'a name, a list of one or more names, or RPCEntryPoint.ALL',
    accepts: (value) =>
      value === all || isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)),
  },
}

const marked = new Map<AnyFunction, RpcMethodOptions>()

/** How often `rpcMethod` has been called. */
let marks = 0

/** What `rpcApp` has installed last, for the views that are created from then on. */
let installed: Application | undefined

interface Application {
  readonly procedures: Manifest
  readonly options: RpcAppOptions
}

/**
 * Marks a function as a procedure of the legacy entry points, and returns it. The generator compiles the function if the call
 * is in a file that it reads; otherwise the function needs its own `@rpc`.
 *
 * @throws TypeError if `fn` is not a function, or for an option with a wrong value
 */
export function rpcMethod<Fn extends AnyFunction>(fn: Fn, ...passed: [options?: RpcMethodOptions]): Fn {
  if (typeof fn !== 'function') throw new TypeError('rpcMethod: expected a function as its first argument')
  const options = optionsIn(passed, `rpcMethod(${fn.name})`, methodTable) ?? {}
  const owner = `rpcMethod(${ownName(options.name, fn)})`
  checkOptions(options, owner, methodTable)
  protocolsOf(owner, options.protocol)
  const auth = authIn(options, owner)
  marked.set(fn, auth === undefined ? options : { ...options, auth })
  marks += 1
  return fn
}

/** Options of `rpcApp`: those of RpcServer; everything has a default. */
export type RpcAppOptions = Omit<RpcServerOptions, 'procedures' | 'protocol'>

const { procedures: _procedures, protocol: _protocol, ...appOptionNames } = serverOptions

/** The key under which the middleware passes its state to the views. */
const contextKey = 'rpc-gen.rpcApp'

/**
 * Registers the application, for the views that the process creates from then on, and returns the middleware to mount before them.
 *
 * @example
 * app.use(rpcApp(procedures))
 * @throws Error if `procedures` were generated without `RPC_METHODS_MODULES` in rpc.config
 * @throws TypeError for an option that does not exist or has a wrong value
 * @throws RangeError for a limit or a `concurrency` that is not a positive integer, or larger than what works
 */
export function rpcApp(procedures: Manifest, ...passed: [options?: RpcAppOptions]): MiddlewareHandler {
  if (!hasMethodsModules(procedures)) {
    throw new Error('rpcApp needs its modules: list them in RPC_METHODS_MODULES in rpc.config, and run rpc-gen')
  }
  const options = optionsIn(passed, 'rpcApp', appOptionNames) ?? {}
  const auth = authIn(options, 'rpcApp')
  // Each view has a server with these options: a wrong one is an error here.
  new RpcServer(options)
  const served = Object.values(procedures).filter((procedure) => procedure.legacy)
  installed = { procedures: toManifest(served), options: auth === undefined ? options : { ...options, auth } }
  return async (c, next) => {
    c.set(contextKey, true)
    await next()
  }
}

/** The legacy entry points. */
export const RPCEntryPoint = {
  /** Every entry point; the default for a function that names none. */
  ALL: all as AllEntryPoints,

  /**
   * Returns a handler that serves one entry point, by an RpcServer, of the application that `rpcApp` has registered last. The entries of a batch
   * run one after another.
   *
   * @example
   * app.all('/rpc', RPCEntryPoint.asView())
   * @throws Error if `rpcApp` has not been called, or if the registrations conflict
   * @throws TypeError for an option that does not exist or has a wrong value
   */
  asView(options: EntryPointOptions = {}): View {
    const { entryPoint = 'default', protocol } = completeOptions<EntryPointOptions>(options, 'RPCEntryPoint.asView', {
      entryPoint: { expected: 'a name', accepts: isName },
      protocol: checkedLater(),
    })
    protocolsOf('RPCEntryPoint.asView', protocol)
    const application = installed
    if (!application) {
      throw new Error('RPCEntryPoint.asView needs an application: call app.use(rpcApp(procedures)) first')
    }
    const make = () => ({ view: serverOf(application, entryPoint, protocol).use(checkInstalled).view, marks })
    let made = make()
    return (c) => {
      if (made.marks !== marks) made = make()
      return made.view(c)
    }
  },
} as const

function serverOf(
  { procedures, options }: Application,
  entryPoint: string,
  protocol: ProtocolChoice | undefined,
): RpcServer {
  const byHand = new Set([...marked.keys()].map(compiledForm))
  const generated = Object.values(procedures).filter((procedure) => !byHand.has(procedure))
  const server = new RpcServer({ ...options, procedures: toManifest(generated), ...(protocol ? { protocol } : {}) })
  for (const [fn, { entryPoint: bound = all, ...registered }] of marked) {
    if (serves(bound, entryPoint)) server.registerProcedure(fn, registered)
  }
  return server
}

/** Rejects each call of a request that has not passed the middleware of `rpcApp`. */
const checkInstalled: Middleware = (context, next) => {
  if (context.honoContext?.get(contextKey)) return next()
  throw new Error('RPCEntryPoint.asView serves behind the middleware of rpcApp only: app.use(rpcApp(procedures))')
}

function serves(bound: NonNullable<RpcMethodOptions['entryPoint']>, entryPoint: string): boolean {
  return bound === all || (typeof bound === 'string' ? bound === entryPoint : bound.includes(entryPoint))
}

function toManifest(procedures: readonly Procedure[]): Manifest {
  return Object.fromEntries(procedures.map((procedure) => [procedure.name, procedure]))
}
