import { type Awaitable, attempt, chain } from './chain.js'
import type { RpcContext } from './context.js'

/**
 * Decides whether a call may be made: a truthy result authorises it and becomes `context.authResult`. What it throws
 * rejects the call and is passed to `onError`.
 */
export type AuthPredicate = (request: Request, context: RpcContext) => unknown

/**
 * Who may call: those that a predicate authorises, or that one of a list of predicates does (an empty list rejects every
 * call); `'public'` for everyone, whatever the outer levels specify.
 */
export type Auth = AuthPredicate | readonly AuthPredicate[] | 'public'

const whereToDefine =
  'A predicate that is undefined here is not exported, or its module is part of an import cycle and still loading: ' +
  'define it in a module that does not import the generated one'

/**
 * Returns the `auth` of an options object, or undefined where there is no such key. A key with the value undefined is an
 * error, so that a predicate that failed to load never opens what it was to guard.
 *
 * @param owner what the options belong to, for the error: `RpcServer`
 * @throws TypeError where the value is not a predicate, a list of predicates or `'public'`
 */
export function authIn(options: { readonly auth?: unknown }, owner: string): Auth | undefined {
  if (!('auth' in options)) return undefined
  const { auth } = options
  const wrong = findWrong(auth)
  if (wrong === undefined) return auth as Auth
  const found = `${owner}: auth${wrong.index === undefined ? '' : `[${wrong.index}]`} is ${shortText(wrong.value)}`
  const expected = wrong.index === undefined ? "a predicate, a list of predicates or 'public'" : 'a predicate'
  if (auth === false) throw new TypeError(`${found}, expected ${expected}: write 'public' to let everyone call`)
  throw new TypeError(`${found}, expected ${expected}${wrong.value === undefined ? `. ${whereToDefine}` : ''}`)
}

/** Where a value is not an Auth; `findIndex` finds the holes of a list too, which `every` skips. */
function findWrong(auth: unknown): { readonly value: unknown; readonly index?: number } | undefined {
  if (auth === 'public' || typeof auth === 'function') return undefined
  if (!Array.isArray(auth)) return { value: auth }
  const index = auth.findIndex((each) => typeof each !== 'function')
  return index === -1 ? undefined : { value: auth[index], index }
}

function shortText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** The first truthy answer of the predicates, asked in their order; undefined when none authorises. */
export function authorise(auth: Exclude<Auth, 'public'>, context: RpcContext): Awaitable<unknown> {
  return firstTruthy(typeof auth === 'function' ? [auth] : auth, 0, context)
}

function firstTruthy(predicates: readonly AuthPredicate[], from: number, context: RpcContext): Awaitable<unknown> {
  const predicate = predicates[from]
  if (!predicate) return undefined
  return chain(predicate(context.request, context), (answer) => answer || firstTruthy(predicates, from + 1, context))
}

/**
 * Makes a predicate that is asked once per request, however many calls the request holds. It gets the request alone: an
 * answer that looked at one call must never serve another.
 *
 * @example
 * const server = new RpcServer({ procedures, auth: oncePerRequest((request) => findUser(bearerToken(request))) })
 */
export function oncePerRequest(predicate: (request: Request) => unknown): AuthPredicate {
  if (typeof predicate !== 'function') {
    throw new TypeError(`oncePerRequest: the predicate is ${shortText(predicate)}. ${whereToDefine}`)
  }
  const answers = new WeakMap<Request, () => Awaitable<unknown>>()
  return (request) => {
    const known = answers.get(request)
    if (known) return known()
    const answer = attempt(
      () => chain(predicate(request), (value) => () => value),
      (error) => () => {
        throw error
      },
    )
    const recall = () => chain(answer, (tell) => tell())
    answers.set(request, recall)
    return recall()
  }
}
