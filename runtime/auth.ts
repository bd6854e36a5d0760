import { type Awaitable, attempt, chain } from './chain.js'
import type { RpcContext } from './context.js'

/**
 * Whether a request may call: anything truthy authorises, and is then `context.authResult`. It is asked for every call,
 * the entries of a batch or a multicall included. What it throws refuses the call and reaches `onError`.
 */
export type AuthPredicate = (request: Request, context: RpcContext) => unknown

/**
 * Who may call: one predicate, or a list of which one must authorise (an empty list refuses everyone); false for
 * everyone, whatever the levels above say.
 */
export type Auth = AuthPredicate | readonly AuthPredicate[] | false

/** @throws TypeError for what is neither a predicate, nor a list of them, nor false. */
export function checkAuth(auth: unknown): void {
  const list: unknown[] = Array.isArray(auth) ? auth : [auth]
  if (auth === undefined || auth === false || list.every((each) => typeof each === 'function')) return
  throw new TypeError('auth is a predicate, a list of predicates, or false')
}

/** The first truthy answer of the predicates, asked in their order; undefined when none authorises. */
export function authorise(auth: Exclude<Auth, false>, context: RpcContext): Awaitable<unknown> {
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
