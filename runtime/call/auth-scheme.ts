import type { AuthArgument, AuthScheme, DescribedRule, DescribedSecurity } from '../schema/security.js'
import { missingExport, shortText } from './options.js'
import type { Auth, AuthPredicate, AuthRules, RpcContext } from './types.js'

export type { AuthScheme } from '../schema/security.js'

// What descriptions of an API show of predicates: their names, the literals that they were made with, and how callers identify themselves.

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
  return { rule: name, ...(args && { args }), ...(scheme && { scheme: { ...scheme, name: scheme.name ?? name } }) }
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

const members = { basic: undefined, bearer: undefined, apiKey: 'header', cookie: 'cookie' } as const

/**
 * Returns the predicate, with the scheme by which callers identify themselves: OpenRPC documents, the docs page and `rpc-gen diff` show it. The generator
 * reads the scheme from the type, so its texts are literals.
 *
 * @example
 * export const isUser = defineAuth({ scheme: 'bearer', description: 'A token of your profile page.' }, (request: Request) =>
 *   findUser(extractBearerToken(request)),
 * )
 *
 * @throws TypeError if the scheme is not known or incomplete, or the predicate is not a function
 */
export function defineAuth<
  const Scheme extends AuthScheme,
  Predicate extends (request: Request, context: RpcContext) => unknown,
>(scheme: Scheme, predicate: Predicate): Predicate & WithScheme<Scheme> {
  const kind = scheme?.scheme
  if (!Object.hasOwn(members, kind)) {
    throw new TypeError(`defineAuth: scheme is ${shortText(kind)}, expected ${Object.keys(members).join(', ')}`)
  }
  const member = members[kind]
  const value = member && (scheme as unknown as Record<string, unknown>)[member]
  if (member && (typeof value !== 'string' || !/^[!#$%&'*+.^_`|~\dA-Za-z-]+$/.test(value))) {
    throw new TypeError(`defineAuth: ${member} is ${shortText(value)}, expected the name of a ${member}`)
  }
  if (typeof predicate !== 'function') {
    throw new TypeError(
      `defineAuth: the predicate is ${shortText(predicate)}; a predicate that is undefined here ${missingExport}`,
    )
  }
  infos.set(predicate, { ...infos.get(predicate), scheme })
  return predicate
}
