import { checkMiddleware } from '../call/middleware.js'
import type { Manifest, Middleware } from '../call/types.js'
import { type Auth, authIn, optionsIn } from './auth.js'
import { checkNamespace, type Level, type RegisterProcedure, type Registration, registrar } from './registration.js'

/** What `new RpcNamespace` takes; everything has a default. */
export interface RpcNamespaceOptions {
  /** Who may call its procedures that have no auth of their own. Default: that of the namespace or server above. */
  readonly auth?: Auth
  /** The `procedures` of a generated module. Default: none. */
  readonly procedures?: Manifest
}

/**
 * Procedures that share a prefix and an auth.
 *
 * @example
 * const math = new RpcNamespace({ auth: isStaff })
 * math.registerProcedure(add)
 * server.registerNamespace(math, 'math') // math.add
 */
export class RpcNamespace implements Level {
  /** No key without an auth, so that a key with the value undefined is an error in any namespace. */
  declare readonly auth?: Auth
  readonly procedures: Manifest
  readonly #registrations: Registration[] = []

  constructor(...passed: [options?: RpcNamespaceOptions]) {
    const options = optionsIn(passed, 'RpcNamespace') ?? {}
    const auth = authIn(options, 'RpcNamespace')
    if (auth !== undefined) this.auth = auth
    this.procedures = options.procedures ?? {}
  }

  /** Registers a function: as a call, or as a decorator of a static method. */
  readonly registerProcedure: RegisterProcedure = registrar((registration) => this.#registrations.push(registration))

  /** Puts another namespace into this one: `name.procedure`, or without a prefix when there is no name. */
  registerNamespace(namespace: RpcNamespace, name?: string): this {
    checkNamespace(namespace)
    this.#registrations.push({ namespace, name })
    return this
  }

  /**
   * Runs a middleware around each call of the namespace's procedures, those of inner namespaces included: inside of the
   * middleware of the levels above, and of what was added here before.
   *
   * @throws TypeError if it is not a function
   */
  use(middleware: Middleware): this {
    this.#registrations.push({ middleware: checkMiddleware(middleware, 'RpcNamespace') })
    return this
  }

  /** What was registered here, in order. */
  get registrations(): readonly Registration[] {
    return this.#registrations
  }
}
