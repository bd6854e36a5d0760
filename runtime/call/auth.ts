import { AuthenticationError, isRpcError } from '../error.js'
import type { CallContext } from './context.js'
import { type Awaitable, isPromise, maybeCatch, maybeThen } from './maybe-async.js'
import { missingExport, shortText } from './options.js'
import type { RequestScope } from './scope.js'
import type { Auth, AuthPredicate } from './types.js'

export type { Auth, AuthPredicate } from './types.js'

const whereToDefine = `A predicate that is undefined here ${missingExport}: define it in a module that does not import the generated one`

/**
 * Returns the `auth` of an options object, or undefined without such a key. A key with the value undefined is an
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

/** The predicates that were called for one request. */
interface PredicateResults {
  /** Of predicates that get the request alone. */
  readonly results: Map<AuthPredicate, Awaitable<unknown>>
  /** Predicates whose error was passed to `onError`. */
  readonly reported: Set<AuthPredicate>
}

const resultsByScope = new WeakMap<RequestScope, PredicateResults>()

/** The result of a predicate that threw, or that returned something other than a decision. */
class FailedPredicate {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * Authorises a call: calls the predicates in their order until one returns a truthy value, which becomes
 * `context.authResult`. A predicate that fails rejects the call; `report` gets its error, once per request.
 *
 * @throws AuthenticationError where no predicate authorises the call
 */
export function authorize(auth: Auth, context: CallContext, report: (error: unknown) => void): Awaitable<void> {
  if (auth === 'public') return
  const known = resultsByScope.get(context.scope) ?? { results: new Map(), reported: new Set() }
  resultsByScope.set(context.scope, known)
  const reportOnce = (predicate: AuthPredicate, error: unknown) => {
    if (!known.reported.has(predicate)) report(error)
    known.reported.add(predicate)
  }
  const callOnce = (predicate: AuthPredicate): Awaitable<unknown> => {
    if (known.results.has(predicate)) return known.results.get(predicate)
    const result = maybeCatch(
      () => decide(predicate, context),
      (error) => {
        reportOnce(predicate, error)
        return new FailedPredicate(error)
      },
    )
    if (seesRequestOnly(predicate)) known.results.set(predicate, result)
    return result
  }
  return maybeThen(firstTruthy(typeof auth === 'function' ? [auth] : auth, 0, callOnce), (result) => {
    if (result instanceof FailedPredicate) throw new AuthenticationError(undefined, { cause: result.error })
    if (!result) throw new AuthenticationError()
    context.authResult = result
  })
}

function firstTruthy(
  predicates: readonly AuthPredicate[],
  from: number,
  callOnce: (predicate: AuthPredicate) => Awaitable<unknown>,
): Awaitable<unknown> {
  const predicate = predicates[from]
  return predicate && maybeThen(callOnce(predicate), (result) => result || firstTruthy(predicates, from + 1, callOnce))
}

/** A predicate with one parameter does not receive the call, so that its result applies to every call of the request. */
function seesRequestOnly(predicate: AuthPredicate): predicate is (request: Request) => unknown {
  return predicate.length === 1
}

/** Calls a predicate. The only place that decides which results authorise. */
function decide(predicate: AuthPredicate, context: CallContext): Awaitable<unknown> {
  const result = seesRequestOnly(predicate) ? predicate(context.request) : predicate(context.request, context)
  if (!isPromise(result)) return decision(result, predicate)
  // Only the value that the promise is fulfilled with counts: a `then` of another library may return anything.
  return new Promise((resolve, reject) => {
    const settle = (value: unknown) => maybeCatch<unknown>(() => resolve(decision(value, predicate)), reject)
    result.then(settle, reject)
  })
}

/** Some results are truthy and do not authorise: the response 401 of `fetch(…)`, `() => isStaff`, an Error, `new Boolean(false)`. */
function decision(result: unknown, { name }: AuthPredicate): unknown {
  const kind = result && unclearKind(result)
  if (!kind) return result
  throw new TypeError(
    `the auth predicate ${name || '(anonymous)'} returned ${kind}: return a falsy value to reject the call, ` +
      'and true or an object that describes the caller to authorise it',
    result instanceof Error ? { cause: result } : {},
  )
}

function unclearKind(result: unknown): string | undefined {
  if (typeof result === 'function') return 'a function'
  if (isPromise(result)) return 'a promise in a promise'
  if (result instanceof Error || isRpcError(result)) return 'an Error'
  if (typeof result !== 'object') return undefined
  // By its tag, because hosts have their own Response class besides that of fetch.
  const tag = Object.prototype.toString.call(result).slice('[object '.length, -1)
  if (tag === 'Response') return 'a Response'
  if (/^(?:Async)?Generator$/.test(tag)) return 'a generator'
  if (/ Iterator$|^Iterator Helper$/.test(tag)) return 'an iterator'
  return /^(?:Boolean|Number|String)$/.test(tag) ? `an object of ${tag}` : undefined
}

/**
 * Returns a function that calls `predicate` once for each Request object and then returns the same result. A server already calls
 * a predicate with one parameter once per request; use this if several predicates or routes need the result, or if one Request is passed
 * to several `server.call`.
 *
 * @example
 * const userOf = oncePerRequest((request) => findUser(extractBearerToken(request)))
 * const isUser = (request: Request) => userOf(request)
 * const isAdmin = async (request: Request) => (await userOf(request))?.isAdmin
 *
 * @throws TypeError if `predicate` is not a function
 */
export function oncePerRequest<Result>(
  predicate: (request: Request) => Awaitable<Result>,
): (request: Request) => Awaitable<Result> {
  if (typeof predicate !== 'function') {
    throw new TypeError(`oncePerRequest: the predicate is ${shortText(predicate)}. ${whereToDefine}`)
  }
  const results = new WeakMap<Request, () => Awaitable<Result>>()
  return (request) => {
    const recall = results.get(request) ?? remember(() => predicate(request))
    results.set(request, recall)
    return recall()
  }
}

/** Runs a function once: a promise is shared, an error is thrown again. */
function remember<Result>(run: () => Awaitable<Result>): () => Awaitable<Result> {
  try {
    const result = run()
    const kept = isPromise(result) ? Promise.resolve(result) : result
    return () => kept
  } catch (error) {
    return () => {
      throw error
    }
  }
}
