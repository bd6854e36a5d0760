// The callers that a method authorises, and how they identify themselves: `x-security` of a document, `security` of a description.
import { ErrorCode } from '../../runtime/error.js'
import { isRecord } from './references.js'

/** A rule, and the scheme of its callers if that is known; both as text. */
interface Rule {
  readonly text: string
  readonly scheme: string | undefined
}

/** Lists that all have to authorise a caller, each by one of its rules. Without lists everyone may call, as far as it is known. */
export type Security = readonly (readonly Rule[])[]

/** Returns the errors of callers that the rules reject: of those that the first one does, and of those that another one does. */
export function rejectionCodes({ length }: Security): number[] {
  return [ErrorCode.AUTHENTICATION, ErrorCode.FORBIDDEN].slice(0, length)
}

/** Reads lists of rules; a scheme is a description of it, or its name in `schemes`. A value of another form is not compared. */
export function readSecurity(value: unknown, schemes?: unknown): Security {
  if (!Array.isArray(value)) return []
  return value.filter(Array.isArray).map((rules) => rules.filter(isRecord).map((rule) => readRule(rule, schemes)))
}

function readRule({ rule, args, scheme }: Readonly<Record<string, unknown>>, schemes: unknown): Rule {
  const values = Array.isArray(args) ? `(${args.map((each) => JSON.stringify(each)).join(', ')})` : ''
  const found = isRecord(schemes) && typeof scheme === 'string' ? schemes[scheme] : scheme
  return { text: `${rule}${values}`, scheme: isRecord(found) ? schemeText(found) : undefined }
}

/** Without texts for people. */
function schemeText({ scheme, header, cookie }: Readonly<Record<string, unknown>>): string {
  return [scheme, header, cookie].filter((each) => typeof each === 'string').join(' ')
}

/** A change of the authorised callers. */
export interface SecurityChange {
  readonly code: 'auth-tightened' | 'auth-loosened' | 'auth-changed'
  readonly message: string
  readonly old?: string
  readonly new?: string
}

/**
 * Compares the authorised callers. Some are rejected now unless each list of rules contains all rules of one of the old lists; a rule that identifies
 * callers by another scheme rejects them.
 */
export function compareSecurity(old: Security, now: Security): SecurityChange[] {
  const texts = { ...textIn('old', old), ...textIn('new', now) }
  const [keepsAll, addsNone] = [implies(old, now), implies(now, old)]
  if (keepsAll && addsNone) return compareSchemes(old, now)
  if (keepsAll) {
    const message = `further callers are authorised: now ${textOf(now)}`
    return [{ code: 'auth-loosened', message, ...texts }, ...compareSchemes(old, now)]
  }
  const message = `callers are rejected that were authorised: now ${textOf(now)}`
  return [{ code: addsNone ? 'auth-tightened' : 'auth-changed', message, ...texts }]
}

/** True if every caller that one security authorises is authorised by another. */
function implies(from: Security, to: Security): boolean {
  return to.every((rules) => {
    const wider = new Set(rules.map(({ text }) => text))
    return from.some((each) => each.every(({ text }) => wider.has(text)))
  })
}

function compareSchemes(old: Security, now: Security): SecurityChange[] {
  const before = new Map(old.flat().map(({ text, scheme }) => [text, scheme]))
  return now.flat().flatMap(({ text, scheme }): SecurityChange[] => {
    const was = before.get(text)
    if (was === undefined || scheme === undefined || was === scheme) return []
    const message = `callers of ${text} identify themselves by ${scheme}, and no longer by ${was}`
    return [{ code: 'auth-changed', message, old: was, new: scheme }]
  })
}

function textIn(key: 'old' | 'new', security: Security) {
  return security.length > 0 ? { [key]: textOf(security) } : {}
}

function textOf(security: Security): string {
  const lists = security.map((rules) => rules.map(({ text }) => text).join(' or ') || 'a rule that no caller fulfils')
  return lists.join(', and ') || 'every caller'
}
