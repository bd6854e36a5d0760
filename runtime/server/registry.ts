// Registrations on servers and in namespaces, and the table of procedures that a server makes of them.
//
//   math.registerProcedure(add); server.registerNamespace(math, 'math')  →  a table with `math.add`, which has the auth of `math`
import { applyAuth, authIn, isInherited } from '../call/auth.js'
import { isRules } from '../call/auth-scheme.js'
import { limitTable } from '../call/limits.js'
import { afterIn, checkMiddleware } from '../call/middleware.js'
import { checkNames, checkOption, type OptionNames, optionsIn, shortText } from '../call/options.js'
import { compiledForm, createProcedure, optional, rest, withSettings } from '../call/procedure.js'
import type {
  Auth,
  InnerMiddleware,
  Manifest,
  Middleware,
  Procedure,
  Signature,
  Table,
  UseOptions,
} from '../call/types.js'
import type { Switches } from '../compatibility/options.js'
import { MULTICALL } from '../description/system-names.js'
import { type ProtocolChoice, protocolsOf } from '../protocols.js'
import { importCycleHint } from '../values/describe.js'
import { isObject } from '../values/predicates.js'
import { any } from '../values/scalar-types.js'

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

const registerOptionNames: OptionNames<RegisterOptions> = {
  name: true,
  protocol: true,
  auth: true,
  timeoutMs: true,
  bodyBytes: true,
  contextTarget: true,
  unchecked: true,
  params: true,
  subscription: true,
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

/** @throws TypeError if it is not a namespace, as where it or its auth is part of an import cycle */
export function checkNamespace(namespace: unknown): void {
  if (isObject(namespace) && namespaceRegistrations(namespace)) return void authIn(namespace, 'registerNamespace')
  throw new TypeError(`registerNamespace: expected an RpcNamespace, got ${shortText(namespace)}; ${importCycleHint}`)
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
      checkNames(first ?? {}, 'registerProcedure()', registerOptionNames)
      const options = checkedOptions(first ?? {}, undefined)
      return (method: AnyFunction, context: unknown) => decorate(method, context, options)
    }
    const passed = args.slice(1) as [RegisterOptions?]
    add({
      fn: first as AnyFunction,
      options: checkedOptions(optionsIn(passed, `registerProcedure(${first.name})`, registerOptionNames) ?? {}, first),
    })
    return first
  }
  return register as RegisterProcedure
}

/**
 * Checks the options where they are written, and not with the first call.
 *
 * @throws RangeError for a limit that is not a positive integer, or larger than what works
 */
function checkedOptions(options: RegisterOptions, fn: unknown): RegisterOptions {
  const owner = `registerProcedure(${options.name ?? (typeof fn === 'function' ? fn.name : '')})`
  protocolsOf(owner, options.protocol)
  const auth = authIn(options, owner)
  for (const name of ['timeoutMs', 'bodyBytes'] as const) {
    checkOption(options[name], `${owner}: ${name}`, limitTable[name])
  }
  return auth === undefined ? options : { ...options, auth }
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
    checkNamespace(namespace)
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

/** A node and all that it contains. */
export function nodesOf(node: RegistryNode, found = new Set<RegistryNode>()): ReadonlySet<RegistryNode> {
  if (found.has(node)) return found
  found.add(node)
  for (const each of registrationsOf(node)) if ('namespace' in each) nodesOf(each.namespace, found)
  return found
}

/** Thrown for a function without a compiled form: the generator has not read it, or the generated module is not loaded yet. */
export class NotCompiledError extends Error {}

interface Named {
  readonly procedure: Procedure
  /** The owner's name in an error. */
  readonly origin: string
}

/**
 * Makes the table of a server, from what is registered and its own procedures.
 *
 * @throws Error where two procedures have one name or one has a reserved name, where a namespace contains itself, and where
 * a function has no compiled form
 */
export function tableOf(node: RegistryNode, system: readonly Procedure[], { ownSystemNames }: Switches): Table {
  const table = new Map<string, Named>()
  for (const named of proceduresIn(node, '', { auth: undefined, middleware: [] }, [])) {
    const { name } = named.procedure
    checkReserved(name, named.origin, ownSystemNames)
    const other = table.get(name)
    if (other) throw new Error(`there are two procedures ${JSON.stringify(name)}: ${both(other.origin, named.origin)}`)
    table.set(name, named)
  }
  const all = [...table.values()].map(({ procedure }) => procedure)
  const middleware = middlewareOf(node)
  const own = system
    .filter(({ name }) => !table.has(name))
    .map((each) => inherit(each, { auth: undefined, middleware }))
  return new Map([...all, ...own].map((each) => [each.name, each]))
}

/** `system.multicall` is part of the protocols, which read its entries. */
function checkReserved(name: string, origin: string, ownSystemNames: boolean): void {
  const prefix = /^(?:rpc|system)\./.exec(name)?.[0]
  if (prefix === undefined) return
  const isSystem = prefix === 'system.' && name !== MULTICALL
  if (isSystem && ownSystemNames) return
  throw new Error(
    `${origin} cannot be called ${JSON.stringify(name)}: names that begin with ${prefix} are reserved` +
      (isSystem ? ', unless compatibility.ownSystemNames is true' : ''),
  )
}

/** @throws TypeError if the middleware is not a function, or for wrong options */
export function middlewareRegistration(middleware: Middleware, passed: [UseOptions?], owner: string): Registration {
  return { middleware: checkMiddleware(middleware, owner), after: afterIn(passed, owner) }
}

/** Returns the middleware of one level, outermost first. */
export function middlewareOf(node: RegistryNode, after?: UseOptions['after']): readonly Middleware[] {
  return registrationsOf(node).flatMap((each) =>
    'middleware' in each && each.after === after ? [each.middleware] : [],
  )
}

function both(one: string, other: string): string {
  return one === other ? `${one}, twice` : `${one} and ${other}`
}

/** What a procedure inherits from its levels. */
interface Inherited {
  readonly auth: Auth | undefined
  readonly middleware: readonly Middleware[]
  readonly inner?: InnerMiddleware
  /** What has `{ all }`, whose rules another auth inside of it would drop: `the namespace shop`. */
  readonly narrowing?: string | false | undefined
}

const noInner: InnerMiddleware = { auth: [], validation: [] }

function proceduresIn(node: RegistryNode, prefix: string, above: Inherited, path: readonly RegistryNode[]): Named[] {
  if (path.includes(node))
    throw new Error(`namespace cycle: the namespace ${prefix.slice(0, -1) || 'without a name'} contains itself`)
  const namespace = prefix === '' ? 'a namespace without a name' : `the namespace ${prefix.slice(0, -1)}`
  const owner = path.length === 0 ? 'the server' : namespace
  checkKept(node.auth, above, owner)
  const { inner = noInner } = above
  const inherited = {
    auth: applyAuth(node.auth, above.auth, owner),
    middleware: [...above.middleware, ...middlewareOf(node)],
    inner: {
      auth: [...inner.auth, ...middlewareOf(node, 'auth')],
      validation: [...inner.validation, ...middlewareOf(node, 'validation')],
    },
    narrowing: node.auth ? isRules(node.auth) && owner : above.narrowing,
  }
  const generated = Object.values(node.procedures).map((procedure) => {
    return finalize(procedure, prefix + procedure.name, inherited, `the generated procedure ${procedure.name}`)
  })
  const registered = registrationsOf(node).flatMap((each) => {
    if ('middleware' in each) return []
    if ('fn' in each) return [registeredProcedure(each.fn, each.options, prefix, inherited)]
    return proceduresIn(each.namespace, prefixed(prefix, each.name), inherited, [...path, node])
  })
  return [...generated, ...registered]
}

/** @throws TypeError if an auth would drop the rules of `{ all }` around it: who wrote them would not notice */
function checkKept(own: Auth | undefined, { narrowing }: Inherited, owner: string): void {
  if (!narrowing || own === undefined || own === 'public' || isInherited(own)) return
  throw new TypeError(
    `${owner}: its auth drops the rules of { all } of ${narrowing}: write 'inherited' first (@auth inherited), or pass { auth } to registerProcedure`,
  )
}

function prefixed(prefix: string, name: string | undefined): string {
  return name === undefined || name === '' ? prefix : `${prefix}${name}.`
}

function registeredProcedure(fn: AnyFunction, options: RegisterOptions, prefix: string, inherited: Inherited): Named {
  const origin = `function ${fn.name || 'without a name'}${prefix === '' ? '' : ` in the namespace ${prefix.slice(0, -1)}`}`
  const form = options.unchecked ? uncheckedProcedure(fn, options) : compiledForm(fn)
  if (!form) {
    throw new NotCompiledError(
      `${origin} has no compiled form: export it, mark it @rpc or register it in a file that rpc-gen reads, and import ` +
        'the generated module before view, asyncView or router() is read; or register it with { unchecked: true }',
    )
  }
  if (options.contextTarget !== undefined && !form.context) {
    throw new Error(
      `contextTarget of ${origin} was not compiled: name the parameter with a literal, in the call, where rpc-gen reads it`,
    )
  }
  const own = withSettings(form, {
    ...(options.protocol === undefined ? {} : { protocols: protocolsOf(origin, options.protocol) }),
    ...('auth' in options
      ? { auth: form.auth === undefined ? options.auth : applyAuth(options.auth, form.auth, origin) }
      : {}),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
  })
  // An auth that is passed here replaces that of the namespace on purpose.
  const narrowing = (!options.auth || isInherited(options.auth)) && inherited.narrowing
  return finalize(own, prefix + (options.name ?? form.name), { ...inherited, narrowing }, origin)
}

/**
 * Names a procedure and adds what it inherits: the nearest level that has an auth decides.
 *
 * @throws TypeError if its own rules would drop those of `{ all }` around it
 */
function finalize(procedure: Procedure, name: string, inherited: Inherited, origin: string): Named {
  checkKept(procedure.auth, inherited, origin)
  const renamed = procedure.name === name ? procedure : withSettings(procedure, { name })
  const auth = applyAuth(procedure.auth, inherited.auth, origin, true)
  return { procedure: inherit(renamed, { ...inherited, auth }), origin }
}

/** Returns the procedure with this auth and middleware; the same object if there is nothing to add. */
function inherit(procedure: Procedure, { auth = procedure.auth, middleware, inner = noInner }: Inherited): Procedure {
  const hasInner = inner.auth.length + inner.validation.length > 0
  if (procedure.auth === auth && middleware.length === 0 && !hasInner) return procedure
  return withSettings(procedure, { auth, ...(middleware.length > 0 && { middleware }), ...(hasInner && { inner }) })
}

/** Makes a procedure of a function that was not compiled: any arguments, by position, any result. */
export function uncheckedProcedure(fn: AnyFunction, options: RegisterOptions): Procedure {
  const { name = fn.name, contextTarget, subscription } = options
  if (name === '') throw new Error('an unchecked function without a name needs one: { unchecked: true, name: … }')
  if (typeof contextTarget === 'string') {
    throw new Error(
      `contextTarget of the unchecked function ${name} is a position: the names of its parameters are not known`,
    )
  }
  return createProcedure(name, fn, {
    signatures: [signatureOf(fn, options)],
    ...(options.params === 'object'
      ? { params: { params: optional(any) }, paramsObject: true }
      : { params: { args: rest(any) } }),
    returns: any,
    ...(subscription && { subscription }),
    ...(contextTarget !== undefined && { context: [contextTarget] }),
  })
}

/** `undef` for the result, unless it is the id of a subscription, and for every parameter that the function names. */
function signatureOf(fn: AnyFunction, { contextTarget, subscription }: RegisterOptions): Signature {
  const named = fn.length - (typeof contextTarget === 'number' && contextTarget < fn.length ? 1 : 0)
  return [subscription ? 'string' : 'undef', ...Array.from({ length: named }, () => 'undef')]
}
