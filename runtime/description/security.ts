// The callers that a procedure authorises, as descriptions show them, and how they identify themselves.

/** A literal argument of `@auth hasRole('clerk')`. */
export type AuthArgument = string | number | boolean | readonly AuthArgument[]

interface SchemeTexts {
  /** The name of the scheme in descriptions. Default: that of the predicate. */
  readonly name?: string
  /** A text for callers: who gets credentials, and where. */
  readonly description?: string
}

/**
 * How callers identify themselves: a name and a password (`'basic'`, RFC 7617), a token (`'bearer'`, RFC 6750), a key in a header (`'apiKey'`), or
 * a cookie (`'cookie'`).
 */
export type AuthScheme = SchemeTexts &
  (
    | { readonly scheme: 'basic' | 'bearer' }
    | { readonly scheme: 'apiKey' /** Such as `'X-Api-Key'`. */; readonly header: string }
    | { readonly scheme: 'cookie' /** The name of the cookie. */; readonly cookie: string }
  )

/** A predicate by its name, or a call of a function that makes it. */
export interface DescribedRule {
  /** `inherited` represents what the namespace or the server specifies. */
  readonly rule: string
  readonly args?: readonly AuthArgument[]
  /** How its callers identify themselves, if that is known; the name is that of the rule if the scheme has none. */
  readonly scheme?: AuthScheme & { readonly name: string }
}

/** Lists that all have to authorise a caller, each by one of its rules; empty if everyone may call. */
export type DescribedSecurity = readonly (readonly DescribedRule[])[]

/** Returns the authorised callers in words: `Requires isUser, and hasRole('clerk') or hasRole('boss').`; empty for everyone. */
export function securityText(security: DescribedSecurity = []): string {
  const lists = security.map((rules) => rules.map(ruleText).join(' or ') || 'what no caller has')
  return lists.length === 0 ? '' : `Requires ${lists.join(', and ')}.`
}

function ruleText({ rule, args }: DescribedRule): string {
  return args ? `${rule}(${args.map(literalText).join(', ')})` : rule
}

function literalText(value: AuthArgument): string {
  const text = JSON.stringify(value)
  return /['\\]/.test(text) ? text : text.replaceAll('"', "'")
}

/** Returns the help text of a procedure, and the authorised callers in a paragraph of its own. */
export function withSecurity(help: string, security: DescribedSecurity | undefined): string {
  return [help, securityText(security)].filter((text) => text !== '').join('\n\n')
}

/**
 * Returns the schemes of rules by their names.
 *
 * @throws TypeError if two that differ have one name
 */
export function schemesIn(all: Iterable<{ readonly security?: DescribedSecurity }>): ReadonlyMap<string, AuthScheme> {
  const found = new Map<string, AuthScheme>()
  for (const { security = [] } of all) {
    for (const { scheme } of security.flat()) {
      if (!scheme) continue
      const { name, ...rest } = scheme
      const known = found.get(name) ?? (rest as AuthScheme)
      if (!isSameScheme(known, scheme)) {
        throw new TypeError(`two schemes of callers have the name ${name}: give each a name of its own in defineAuth`)
      }
      found.set(name, known)
    }
  }
  return found
}

/** True if two schemes are the same but for their names. */
export function isSameScheme(one: AuthScheme, other: AuthScheme): boolean {
  const [first, second] = [one, other].map(({ name: _, ...rest }) => JSON.stringify(Object.entries(rest).sort()))
  return first === second
}
