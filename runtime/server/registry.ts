// Registrations on servers and in namespaces: functions, namespaces and middleware, of which `table.ts` makes the table of procedures.
//
//   math.registerProcedure(add, { name: 'plus' })  →  { fn: add, options: { name: 'plus' } }
import { authIn } from '../call/auth.js'
import { limitTable } from '../call/limits.js'
import { afterIn, checkMiddleware } from '../call/middleware.js'
import type { Auth, Manifest, Middleware, UseOptions } from '../call/types.js'
import {
  checkedLater,
  checkNames,
  checkOption,
  checkOptions,
  flag,
  type OptionRow,
  type OptionTable,
  optionsIn,
  shortText,
} from '../option-table.js'
import { type ProtocolChoice, protocolsOf } from '../protocols.js'
import { importCycleHint } from '../values/describe.js'
import { isObject } from '../values/predicates.js'

/** A function that can be registered. */
export type AnyFunction = (...args: never[]) => unknown

/** How a function is registered; everything has a default. */
export interface RegisterOptions {
  /** The public name. Default: that of the compiled function. */
  readonly name?: string
  /** The protocols that may call it. Default: what `@protocol` specifies, else all. */
  readonly protocol?: ProtocolChoice
  /** Authorises its callers. Default: what `@auth` specifies, else the namespace, else the server. */
  readonly auth?: Auth
  /** Milliseconds that a call may take, less than 2^31; 0 for no limit. Default: what `@timeout` specifies, else `limits.timeoutMs`. */
  readonly timeoutMs?: number
  /** Bytes of the body of a request that calls it. Default: what `@maxBody` specifies, else `limits.bodyBytes`. */
  readonly bodyBytes?: number
  /**
   * The parameter that the server fills with the context: by its name, which the generator reads; of an `unchecked`
   * function by its position, from 0. A parameter of type RpcContext needs none. Default: none.
   */
  readonly contextTarget?: string | number
  /** Accepts a function that was not compiled: its arguments are positional and are not validated. Default `false`. */
  readonly unchecked?: boolean
  /**
   * `'object'`: an `unchecked` function has the params object as its only argument, by position as by name. Default: its arguments
   * are positional.
   */
  readonly params?: 'object'
  /**
   * Whether an `unchecked` function returns an AsyncIterable, whose items are sent over WebSocket, or over HTTP as server-sent events. Default
   * `false`.
   */
  readonly subscription?: boolean
}

/** The option `name` of `registerProcedure` and `rpcMethod`. */
export const nameRow: OptionRow<string> = {
  expected: 'a name',
  accepts: (value) => typeof value === 'string' && value !== '',
}

/** The largest position of the context; the arguments before it are filled with undefined. */
const MAX_POSITION = 255

const registerTable: OptionTable<RegisterOptions> = {
  name: nameRow,
  protocol: checkedLater(),
  auth: checkedLater(),
  timeoutMs: limitTable.timeoutMs,
  bodyBytes: limitTable.bodyBytes,
  contextTarget: {
    expected: `the name of a parameter, or its position from 0 to ${MAX_POSITION}`,
    accepts: (value) =>
      typeof value === 'string' || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_POSITION),
  },
  unchecked: flag(false),
  params: { expected: "'object'", accepts: (value) => value === 'object' },
  subscription: flag(false),
}

/** What is registered on a server or in a namespace: the generated procedures, then the registrations in their order. */
export interface RegistryNode {
  readonly auth?: Auth | undefined
  readonly procedures: Manifest
  /** Those of a server; a namespace keeps its own private. */
  readonly registrations?: readonly Registration[]
}

/** A function and its options, a namespace and its name, or a middleware for all procedures of the level. */
export type Registration =
  | { readonly fn: AnyFunction; readonly options: RegisterOptions }
  | { readonly namespace: RegistryNode; readonly name: string | undefined }
  | { readonly middleware: Middleware; readonly after: UseOptions['after'] }

/** Returns the registrations of a namespace; undefined for what is not a namespace of this copy of rpc-gen. */
let namespaceRegistrations: (namespace: object) => readonly Registration[] | undefined

/** Returns what is registered on a server or in a namespace, in order. */
export function registrationsOf(node: RegistryNode): readonly Registration[] {
  return node.registrations ?? namespaceRegistrations(node) ?? []
}

const namespaceNameRow: OptionRow<string> = { expected: 'a string', accepts: (value) => typeof value === 'string' }

/** @throws TypeError if it is not a namespace, as where it or its auth is part of an import cycle, or its name is not a string */
export function checkNamespace(namespace: unknown, name: unknown): void {
  if (!isObject(namespace) || !namespaceRegistrations(namespace)) {
    throw new TypeError(`registerNamespace: expected an RpcNamespace, got ${shortText(namespace)}; ${importCycleHint}`)
  }
  checkOption(name, 'registerNamespace: the name', namespaceNameRow)
  authIn(namespace, 'registerNamespace')
}

/**
 * Registers a function, as a call, as a decorator or as a decorator with options (TC39, static methods).
 *
 * @throws TypeError for what is not a function, for options that are undefined, do not exist or have a wrong `auth` or `protocol`, and
 * for a decorator of anything but a static method
 * @throws RangeError for a limit that is not a positive integer, or larger than what works
 */
export interface RegisterProcedure {
  (method: AnyFunction, context: ClassMethodDecoratorContext): void
  <Fn extends AnyFunction>(fn: Fn, options?: RegisterOptions): Fn
  (options?: RegisterOptions): (method: AnyFunction, context: ClassMethodDecoratorContext) => void
}

/** Returns a `registerProcedure` that passes each registration to `add`. */
export function createRegisterProcedure(add: (registration: Registration) => void): RegisterProcedure {
  const decorate = (fn: AnyFunction, context: unknown, options: RegisterOptions) => {
    checkDecorated(fn, context)
    add({ fn, options: checkedOptions(options, fn) })
  }
  const register = (...args: readonly unknown[]): unknown => {
    const [first, second] = args
    if (isDecorating(second)) return decorate(first as AnyFunction, second, {})
    if (typeof first !== 'function') {
      if (args.length > 0 && !isObject(first)) {
        throw new TypeError(
          `registerProcedure: expected a function or options, got ${shortText(first)}; ${importCycleHint}`,
        )
      }
      checkNames(first ?? {}, 'registerProcedure()', registerTable)
      const options = checkedOptions(first ?? {}, undefined)
      return (method: AnyFunction, context: unknown) => decorate(method, context, options)
    }
    const passed = args.slice(1) as [RegisterOptions?]
    add({
      fn: first as AnyFunction,
      options: checkedOptions(optionsIn(passed, `registerProcedure(${first.name})`, registerTable) ?? {}, first),
    })
    return first
  }
  return register as RegisterProcedure
}

/**
 * Checks the options where they are written, and not with the first call.
 *
 * @throws TypeError for an option with a wrong value
 * @throws RangeError for a limit that is not a positive integer, or larger than what works
 */
function checkedOptions(options: RegisterOptions, fn: unknown): RegisterOptions {
  const owner = `registerProcedure(${ownName(options.name, fn)})`
  checkOptions(options, owner, registerTable)
  protocolsOf(owner, options.protocol)
  const auth = authIn(options, owner)
  return auth === undefined ? options : { ...options, auth }
}

/** The name of a registration, for errors: its own, which may be wrong, or that of the function. */
export function ownName(name: unknown, fn: unknown): string {
  if (typeof name === 'string' && name !== '') return name
  return typeof fn === 'function' ? fn.name : ''
}

/** A decorator's context has a `kind`; the older decorators of TypeScript pass the member's name instead. */
function isDecorating(second: unknown): boolean {
  return typeof second === 'string' || typeof second === 'symbol' || (isObject(second) && 'kind' in second)
}

function checkDecorated(fn: AnyFunction, context: unknown): void {
  if (!isObject(context) || !('kind' in context)) {
    throw new TypeError(
      'registerProcedure is a standard decorator: turn experimentalDecorators off, or write registerProcedure(Class.method)',
    )
  }
  const { kind, static: isStatic } = context as object as ClassMethodDecoratorContext
  if (kind === 'method' && isStatic) return
  throw new TypeError(`registerProcedure can only decorate static methods; ${fn?.name || 'this'} is not one`)
}

/** Options of `new RpcNamespace`; everything has a default. */
export interface RpcNamespaceOptions {
  /** Authorises callers of its procedures without auth of their own. Default: that of the namespace or server above. */
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
export class RpcNamespace {
  /** The `auth` of the options; the key is absent without one. */
  declare readonly auth?: Auth
  /** The `procedures` of the options. */
  readonly procedures: Manifest
  readonly #registrations: Registration[] = []

  /** @throws TypeError for options that are undefined, do not exist or have a wrong `auth` */
  constructor(...passed: [options?: RpcNamespaceOptions]) {
    const options = optionsIn(passed, 'RpcNamespace', { auth: true, procedures: true }) ?? {}
    const auth = authIn(options, 'RpcNamespace')
    if (auth !== undefined) this.auth = auth
    this.procedures = options.procedures ?? {}
  }

  /** Registers a function: as a call, or as a decorator of a static method. */
  readonly registerProcedure: RegisterProcedure = createRegisterProcedure((registration) =>
    this.#registrations.push(registration),
  )

  /**
   * Adds another namespace to this one: `name.procedure`, or without a prefix if there is no name.
   *
   * @throws TypeError if it is not a namespace, as in an import cycle
   */
  registerNamespace(namespace: RpcNamespace, name?: string): this {
    checkNamespace(namespace, name)
    this.#registrations.push({ namespace, name })
    return this
  }

  /**
   * Runs a middleware around each call of the namespace's procedures, those of inner namespaces included: inside of the
   * middleware of the levels above, and of what was added here before.
   *
   * @throws TypeError if it is not a function, or for options that are undefined, do not exist or have a wrong value
   */
  use(middleware: Middleware, ...passed: [options?: UseOptions]): this {
    this.#registrations.push(middlewareRegistration(middleware, passed, 'RpcNamespace'))
    return this
  }

  static {
    namespaceRegistrations = (namespace) => (#registrations in namespace ? namespace.#registrations : undefined)
  }
}

/** @throws TypeError if the middleware is not a function, or for wrong options */
export function middlewareRegistration(middleware: Middleware, passed: [UseOptions?], owner: string): Registration {
  return { middleware: checkMiddleware(middleware, owner), after: afterIn(passed, owner) }
}
