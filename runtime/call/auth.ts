// Auth as it is written, to rules; and the predicates that are called for a call. The nearest level decides, and `'inherited'` adds the
// rules of the level above.
//
//   auth: [isUser, isStaff]          one of them authorises
//   auth: { all: [isUser, isOpen] }  both have to
import { AuthenticationError, ForbiddenError, isRpcError } from '../error.js'
import { missingExport, shortText } from '../option-table.js'
import { authRule, isRules } from './auth-scheme.js'
import type { CallContext } from './context.js'
import { type Awaitable, isPromise, maybeCatch, maybeThen } from './maybe-async.js'
import type { Auth, AuthPredicate, AuthRule, AuthRules } from './types.js'

const whereToDefine = `A predicate that is undefined here ${missingExport}: define it in a module that does not import the generated one`

/**
 * Returns a copy of the `auth` of an options object, or undefined without such a key. A key with the value undefined is an
 * error, so that a predicate that failed to load never opens what it was to guard.
 *
 * @param owner what the options belong to, for the error: `RpcServer`
 * @throws TypeError if the value is not a predicate, a list of predicates, `{ all }` or `'public'`
 */
export function authIn(options: { readonly auth?: unknown }, owner: string): Auth | undefined {
  if (!('auth' in options)) return undefined
  const { auth } = options
  const wrong = findWrong(auth)
  if (wrong === undefined) return copyOf(auth as Auth)
  const { path, value, found = shortText(value), expected } = wrong
  const why = auth === false ? ": write 'public' to let everyone call" : value === undefined ? `. ${whereToDefine}` : ''
  throw new TypeError(`${owner}: auth${path} is ${found}, expected ${expected}${why}`)
}

/** A list that is changed afterwards authorises no one else. */
function copyOf(auth: Auth): Auth {
  const copy = <Rule>(rule: Rule): Rule => (Array.isArray(rule) ? ([...rule] as Rule) : rule)
  return isRules(auth) ? { all: auth.all.map(copy) as unknown as AuthRules['all'] } : copy(auth)
}

interface WrongAuth {
  readonly path: string
  readonly value: unknown
  /** Describes the value, where its text does not. */
  readonly found?: string
  readonly expected: string
}

function findWrong(auth: unknown): WrongAuth | undefined {
  if (auth === 'public') return undefined
  if (!isRules(auth)) return wrongRule(auth, '', "a predicate, a list of predicates, { all } or 'public'")
  const { all, ...others } = auth as { readonly all: unknown }
  const [other] = Object.keys(others)
  if (other !== undefined) return { path: `.${other}`, value: auth[other as never], expected: 'no other key than all' }
  // Without a rule, nothing would reject a call.
  if (!Array.isArray(all)) return { path: '.all', value: all, expected: 'a list of rules' }
  if (all.length === 0) return { path: '.all', value: all, found: 'empty', expected: 'a rule or more' }
  const wrong = Array.from(all, (rule: unknown, i) => {
    if (i === 0 && rule === 'inherited') return undefined
    return wrongRule(rule, `.all[${i}]`, `a predicate or a list of predicates${i === 0 ? ", or 'inherited'" : ''}`)
  })
  return wrong.find((each) => each !== undefined)
}

/** What is not a predicate in a rule; `findIndex` finds the holes of a list too, which `every` skips. */
function wrongRule(rule: unknown, path: string, expected: string): WrongAuth | undefined {
  if (typeof rule === 'function') return undefined
  if (!Array.isArray(rule)) return { path, value: rule, expected }
  const index = rule.findIndex((each) => typeof each !== 'function')
  return index === -1 ? undefined : { path: `${path}[${index}]`, value: rule[index], expected: 'a predicate' }
}

/** True if it adds rules to those around it. */
export function isInherited(auth: Auth | undefined): auth is AuthRules {
  return isRules(auth) && auth.all[0] === 'inherited'
}

/**
 * Returns the auth that applies to a level or a procedure, from its own and that of the level around it. If it inherits rules and there are none,
 * nothing decides who calls.
 *
 * @param owner for the error: `the generated procedure add`
 * @param isProcedure whether every call is then rejected with the error: a generated module makes a server without auth of its procedures
 * @throws TypeError otherwise
 */
export function applyAuth(
  own: Auth | undefined,
  outer: Auth | undefined,
  owner: string,
  isProcedure = false,
): Auth | undefined {
  if (own === undefined) return outer
  if (!isInherited(own)) return own
  const others = own.all.slice(1) as AuthRule[]
  if (outer === undefined || outer === 'public') {
    const found = outer === undefined ? 'has no auth' : "has the auth 'public'"
    const error = new TypeError(
      `${owner}: its auth is 'inherited', but what is around it ${found}: give the server or the namespace an auth that decides who calls`,
    )
    if (!isProcedure) throw error
    const reject = () => {
      throw error
    }
    return { all: [authRule('inherited', reject), ...others] }
  }
  return { all: isRules(outer) ? [...outer.all, ...others] : [outer, ...others] }
}

/** The result of a predicate that threw, or that returned something other than a decision. */
class FailedPredicate {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * Authorises a call: of each rule, calls the predicates in their order until one returns a truthy value. That of the first rule becomes
 * `context.authResult`. A predicate that fails rejects the call.
 *
 * @throws AuthenticationError if the first rule does not authorise the call
 * @throws ForbiddenError if another rule does not
 * @throws RpcError as a predicate threw it
 */
export function authorize(auth: Auth, context: CallContext): Awaitable<void> {
  if (auth === 'public') return
  // Where the table was made, `'inherited'` was replaced by what it represents.
  return isRules(auth) ? checkFrom(0, auth.all as readonly AuthRule[], context) : checkRule(auth, 0, context)
}

function checkFrom(index: number, rules: readonly AuthRule[], context: CallContext): Awaitable<void> {
  const rule = rules[index]
  return rule && maybeThen(checkRule(rule, index, context), () => checkFrom(index + 1, rules, context))
}

function checkRule(rule: AuthRule, index: number, context: CallContext): Awaitable<void> {
  const result = typeof rule === 'function' ? callOnce(rule, context) : firstTruthy(rule, 0, context)
  return isPromise(result)
    ? result.then((settled) => applyDecision(settled, index, context))
    : applyDecision(result, index, context)
}

function applyDecision(result: unknown, index: number, context: CallContext): void {
  if (!result || result instanceof FailedPredicate) throw rejection(index, result)
  if (index === 0) context.authResult = result
}

function callOnce(predicate: AuthPredicate, context: CallContext): Awaitable<unknown> {
  context.scope.authResults ??= new Map()
  const known = context.scope.authResults
  const before = known.get(predicate)
  if (before !== undefined || known.has(predicate)) return before
  const result = maybeCatch(
    () => decide(predicate, context),
    (error) => new FailedPredicate(error),
  )
  if (seesRequestOnly(predicate)) known.set(predicate, result)
  return result
}

/** The error of a call that a rule rejects: the caller is not known, or not allowed to make the call. */
function rejection(index: number, result: unknown): unknown {
  const failed = result instanceof FailedPredicate ? result : undefined
  if (failed && isRpcError(failed.error)) return failed.error
  const Rejection = index === 0 ? AuthenticationError : ForbiddenError
  return new Rejection(undefined, failed && { cause: failed.error })
}

function firstTruthy(predicates: readonly AuthPredicate[], from: number, context: CallContext): Awaitable<unknown> {
  const predicate = predicates[from]
  if (!predicate) return undefined
  const next = (result: unknown) => result || firstTruthy(predicates, from + 1, context)
  return maybeThen(callOnce(predicate, context), next)
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
