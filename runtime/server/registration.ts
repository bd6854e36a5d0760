import { checkLimit } from '../call/limits.js'
import type { Manifest, Middleware } from '../call/types.js'
import { type ProtocolChoice, protocolsOf } from '../protocol.js'
import { isObject } from '../values/predicates.js'
import { type Auth, authIn, optionsIn } from './auth.js'

/** A function that can be registered. */
export type AnyFunction = (...args: never[]) => unknown

/** How a function is registered; everything has a default. */
export interface RegisterOptions {
  /** The public name. Default: that of the compiled function. */
  readonly name?: string
  /** The protocols that may call it. Default: what `@protocol` specifies, else all. */
  readonly protocol?: ProtocolChoice
  /** Who may call it. Default: what `@auth` specifies, else the namespace, else the server. */
  readonly auth?: Auth
  /** Milliseconds that a call may take, less than 2^31. Default: what `@timeout` specifies, else `limits.timeoutMs`. */
  readonly timeoutMs?: number
  /** Bytes of the body of a request that calls it. Default: what `@maxBody` specifies, else `limits.bodyBytes`. */
  readonly bodyBytes?: number
  /**
   * The parameter that the server fills with the context: by its name, which the generator reads; of an `unchecked`
   * function by its position, from 0. A parameter of type RpcContext needs none.
   */
  readonly contextTarget?: string | number
  /** Accepts a function that was not compiled: its arguments are positional and are not validated. Default `false`. */
  readonly unchecked?: boolean
}

/** What is registered on a server or in a namespace: the generated procedures, then the registrations in their order. */
export interface Level {
  readonly auth?: Auth | undefined
  readonly procedures: Manifest
  readonly registrations: readonly Registration[]
}

/** A function and its options, a namespace and its name, or a middleware for all procedures of the level. */
export type Registration =
  | { readonly fn: AnyFunction; readonly options: RegisterOptions }
  | { readonly namespace: Level; readonly name: string | undefined }
  | { readonly middleware: Middleware }

/** @throws TypeError for what is not a namespace, as where it or its auth is part of an import cycle */
export function checkNamespace(namespace: unknown): void {
  if (isObject(namespace)) return void authIn(namespace, 'registerNamespace')
  throw new TypeError(`registerNamespace: expected an RpcNamespace, got ${namespace}; is it part of an import cycle?`)
}

/** What `registerProcedure` can be: a call, a decorator, and a decorator with options (TC39, static methods). */
export interface RegisterProcedure {
  (method: AnyFunction, context: ClassMethodDecoratorContext): void
  <Fn extends AnyFunction>(fn: Fn, options?: RegisterOptions): Fn
  (options?: RegisterOptions): (method: AnyFunction, context: ClassMethodDecoratorContext) => void
}

/** Makes a `registerProcedure` that hands what it gets to `add`. */
export function registrar(add: (registration: Registration) => void): RegisterProcedure {
  const decorate = (fn: AnyFunction, context: unknown, options: RegisterOptions) => {
    checkDecorated(fn, context)
    add({ fn, options: checked(options, fn) })
  }
  const register = (...args: readonly unknown[]): unknown => {
    const [first, second] = args
    if (isDecorating(second)) return decorate(first as AnyFunction, second, {})
    if (typeof first !== 'function') {
      if (args.length > 0 && !isObject(first)) throw new TypeError('registerProcedure takes a function, or options')
      const options = checked(first ?? {}, undefined)
      return (method: AnyFunction, context: unknown) => decorate(method, context, options)
    }
    const passed = args.slice(1) as [RegisterOptions?]
    add({
      fn: first as AnyFunction,
      options: checked(optionsIn(passed, `registerProcedure(${first.name})`) ?? {}, first),
    })
    return first
  }
  return register as RegisterProcedure
}

/**
 * Checks the options where they are written, and not with the first call.
 *
 * @throws RangeError for a limit that is not a positive number, or larger than what works
 */
function checked(options: RegisterOptions, fn: unknown): RegisterOptions {
  const owner = `registerProcedure(${options.name ?? (typeof fn === 'function' ? fn.name : '')})`
  protocolsOf(options.protocol)
  authIn(options, owner)
  for (const name of ['timeoutMs', 'bodyBytes'] as const) {
    if (options[name] !== undefined) checkLimit(name, options[name], `${owner}: `)
  }
  return options
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
  throw new TypeError(`registerProcedure decorates static methods, and ${fn?.name || 'this'} is none`)
}
