// What descriptions of an API show of predicates: their names, the literals that they were made with, and how callers identify themselves.
import type { AuthArgument, AuthScheme, DescribedRule, DescribedSecurity } from '../description/security.js'
import { checkNames, missingExport, shortText } from '../option-table.js'
import type { Auth, AuthPredicate, AuthRules, RpcContext } from './types.js'

export type { AuthScheme } from '../description/security.js'

declare const schemeOf: unique symbol

/** A predicate with the type of its scheme, from which the generator reads the scheme. */
export interface WithScheme<Scheme> {
  /** For types only. */
  readonly [schemeOf]?: Scheme
}

/** What is known of a predicate. */
interface PredicateInfo {
  readonly name?: string
  readonly args?: readonly AuthArgument[]
  readonly scheme?: AuthScheme
}

const infos = new WeakMap<object, PredicateInfo>()

/** True for `{ all }`, whatever it contains. */
export function isRules(auth: unknown): auth is AuthRules {
  return typeof auth === 'object' && auth !== null && 'all' in auth
}

/** Describes an auth. */
export function securityOf(auth: Auth): DescribedSecurity {
  if (auth === 'public') return []
  const rules = isRules(auth) ? auth.all : [auth]
  return rules.map((rule) => (rule === 'inherited' ? [{ rule }] : [rule].flat().map(describeRule)))
}

function describeRule(predicate: AuthPredicate): DescribedRule {
  const { name: own = predicate.name, args, scheme } = infos.get(predicate) ?? {}
  const name = own || scheme?.name || 'a predicate without a name'
  // Several predicates may have no name.
  const named = scheme && { ...scheme, name: scheme.name ?? (own || scheme.scheme) }
  return { rule: name, ...(args && { args }), ...(named && { scheme: named }) }
}

/**
 * Names a predicate in a generated module, as its source exports it; with arguments, `fn` makes the predicate. What is undefined because of an
 * import cycle is returned, for the error of the procedure.
 */
export function authRule(
  name: string,
  fn: (...args: never[]) => unknown,
  args?: readonly AuthArgument[],
): AuthPredicate {
  const predicate = (args ? fn?.(...(args as never[])) : fn) as AuthPredicate
  if (typeof predicate === 'function') infos.set(predicate, { ...infos.get(predicate), name, ...(args && { args }) })
  return predicate
}

const members = { basic: [], bearer: [], apiKey: ['header'], cookie: ['cookie'] } as const
const texts = ['name', 'description']

/** The name of a rule in descriptions, as in `@auth hasRole('clerk')`. */
export interface AuthRuleName {
  /** The name of the predicate, or of the function that makes it. */
  readonly rule: string
  /** The arguments that it was made with. Default: none. */
  readonly args?: readonly AuthArgument[]
}

/**
 * Returns the predicate, with the scheme by which callers identify themselves: OpenRPC documents, the docs page and `rpc-gen diff` show it. The
 * generator reads the scheme from the type, so its texts are literals.
 *
 * With `rule` instead it names a predicate that a function makes: descriptions show it as they show `@auth hasRole('clerk')`.
 *
 * @example
 * export const isUser = defineAuth({ scheme: 'bearer', description: 'A token of your profile page.' }, (request: Request) =>
 *   findUser(extractBearerToken(request)),
 * )
 *
 * @throws TypeError if the scheme is not known, is incomplete or has other members, or the predicate is not a function
 */
export function defineAuth<
  const Scheme extends AuthScheme,
  Predicate extends (request: Request, context: RpcContext) => unknown,
>(scheme: Scheme, predicate: Predicate): Predicate & WithScheme<Scheme>
export function defineAuth<Predicate extends (request: Request, context: RpcContext) => unknown>(
  name: AuthRuleName,
  predicate: Predicate,
): Predicate
export function defineAuth(given: AuthScheme | AuthRuleName, predicate: AuthPredicate): AuthPredicate {
  const info = isRuleName(given) ? nameIn(given) : { scheme: checkScheme(given) }
  if (typeof predicate !== 'function') {
    throw new TypeError(
      `defineAuth: the predicate is ${shortText(predicate)}; a predicate that is undefined here ${missingExport}`,
    )
  }
  infos.set(predicate, { ...infos.get(predicate), ...info })
  return predicate
}

function isRuleName(given: AuthScheme | AuthRuleName): given is AuthRuleName {
  return typeof given === 'object' && given !== null && 'rule' in given
}

/** @throws TypeError if it is not a name with literals */
function nameIn(given: AuthRuleName): PredicateInfo {
  checkNames(given, 'defineAuth', { rule: true, args: true })
  const { rule, args } = given
  // Descriptions show what is around a procedure as `inherited`; `public` means everyone.
  if (typeof rule !== 'string' || !/^(?!(?:inherited|public)$)[^\s'"`(),]+$/.test(rule)) {
    throw new TypeError(`defineAuth: rule is ${shortText(rule)}, expected the name of a predicate`)
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(isLiteral))) {
    throw new TypeError('defineAuth: args has something other than strings, numbers, booleans and lists of them')
  }
  return { name: rule, ...(args && { args }) }
}

function isLiteral(value: unknown): value is AuthArgument {
  return Array.isArray(value)
    ? value.every(isLiteral)
    : /^(?:string|boolean)$/.test(typeof value) || Number.isFinite(value)
}

/** @throws TypeError if it is not known, is incomplete or has other members */
function checkScheme(scheme: AuthScheme): AuthScheme {
  const kind = scheme?.scheme
  if (!Object.hasOwn(members, kind)) {
    throw new TypeError(`defineAuth: scheme is ${shortText(kind)}, expected ${Object.keys(members).join(', ')}`)
  }
  const own = Object.fromEntries(['scheme', ...texts, ...members[kind]].map((name) => [name, true]))
  checkNames<object>(scheme, 'defineAuth', own)
  for (const member of texts) {
    const value = (scheme as unknown as Record<string, unknown>)[member]
    if (value === undefined || (typeof value === 'string' && value !== '')) continue
    throw new TypeError(`defineAuth: ${member} is ${shortText(value)}, expected a text`)
  }
  for (const member of members[kind]) {
    const value = (scheme as unknown as Record<string, unknown>)[member]
    if (typeof value === 'string' && /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(value)) continue
    throw new TypeError(`defineAuth: ${member} is ${shortText(value)}, expected the name of a ${member}`)
  }
  return scheme
}
