import type { Auth } from './auth.js'
import type { RpcNamespace } from './namespace.js'
import type { ProtocolChoice } from './protocol.js'

/** A function that can be registered. */
export type AnyFunction = (...args: never[]) => unknown

/** How a function is registered; everything has a default. */
export interface RegisterOptions {
  /** The public name. Default: the one it was compiled with. */
  readonly name?: string
  /** Which protocols may call it. Default: what `@protocol` says, else every one. */
  readonly protocol?: ProtocolChoice
  /** Who may call it. Default: what `@auth` says, else the nearest level above. */
  readonly auth?: Auth
  /**
   * The parameter that the server fills with the context: by its name, which the generator reads; of an `untyped`
   * function by its position, from 0. A parameter of type RpcContext needs none.
   */
  readonly contextTarget?: string | number
  /** Takes a function that was not compiled: its arguments come as they are, by position only, and are not checked. */
  readonly untyped?: boolean
}

/** A function and how it was registered, or a namespace and the name that it got. */
export type Registration =
  | { readonly fn: AnyFunction; readonly options: RegisterOptions }
  | { readonly namespace: RpcNamespace; readonly name: string | undefined }

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
    add({ fn, options })
  }
  const register = (first?: unknown, second?: unknown): unknown => {
    if (isDecorating(second)) return decorate(first as AnyFunction, second, {})
    if (typeof first !== 'function') {
      const options = (first ?? {}) as RegisterOptions
      return (method: AnyFunction, context: unknown) => decorate(method, context, options)
    }
    add({ fn: first as AnyFunction, options: (second ?? {}) as RegisterOptions })
    return first
  }
  return register as RegisterProcedure
}

/** A decorator's context has a `kind`; the older decorators of TypeScript pass the member's name instead. */
function isDecorating(second: unknown): boolean {
  return (
    typeof second === 'string' ||
    typeof second === 'symbol' ||
    (typeof second === 'object' && second !== null && 'kind' in second)
  )
}

function checkDecorated(fn: AnyFunction, context: unknown): void {
  if (typeof context !== 'object' || context === null || !('kind' in context)) {
    throw new TypeError(
      'registerProcedure is a standard decorator: turn experimentalDecorators off, or write registerProcedure(Class.method)',
    )
  }
  const { kind, static: isStatic } = context as ClassMethodDecoratorContext
  if (kind === 'method' && isStatic) return
  throw new TypeError(`registerProcedure decorates static methods, and ${fn?.name || 'this'} is none`)
}
