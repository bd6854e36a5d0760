// The callers that a method authorises, and how they identify themselves: `x-security` of a document, `security` of a description.

import { isJsonObject } from '../../runtime/description/described-types.js'
import { ErrorCode } from '../../runtime/error.js'
import type { ChangeCode, Changes } from './change.js'
import type { Steps } from './steps.js'

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

/** The texts of schemes by their names: many rules may name one. */
export type SchemeTexts = ReadonlyMap<string, string>

export function readSchemes(value: unknown): SchemeTexts {
  const schemes = isJsonObject(value) ? Object.entries(value) : []
  return new Map(schemes.flatMap(([name, scheme]) => (isJsonObject(scheme) ? [[name, schemeText(scheme)]] : [])))
}

/** Reads lists of rules; a scheme is a description of it, or its name in `schemes`. A value of another form is not compared. */
export function readSecurity(value: unknown, schemes: SchemeTexts = new Map()): Security {
  if (!Array.isArray(value)) return []
  return value.filter(Array.isArray).map((rules) => rules.filter(isJsonObject).map((rule) => readRule(rule, schemes)))
}

function readRule({ rule, args, scheme }: Readonly<Record<string, unknown>>, schemes: SchemeTexts): Rule {
  const values = Array.isArray(args) ? `(${args.map((each) => JSON.stringify(each)).join(', ')})` : ''
  const own = isJsonObject(scheme) ? schemeText(scheme) : undefined
  return { text: `${rule}${values}`, scheme: typeof scheme === 'string' ? schemes.get(scheme) : own }
}

/** Without texts for people. */
function schemeText({ scheme, header, cookie }: Readonly<Record<string, unknown>>): string {
  return [scheme, header, cookie].filter((each) => typeof each === 'string').join(' ')
}

/**
 * Compares the authorised callers. Some are rejected now unless each list of rules contains all rules of one of the old lists; a rule that identifies
 * callers by another scheme rejects them.
 */
export function compareSecurity(old: Security, now: Security, changes: Changes, steps: Steps): void {
  const [before, after] = [old, now].map((each) => (each.length > 0 ? securityText(each) : undefined))
  const add = (code: ChangeCode, message: string) => {
    changes.add(code, changes.method, `${message}: now ${securityText(now)}`, before, after)
  }
  steps.take(
    ((old.length + now.length) * (old.flat().length + now.flat().length)) >> 4,
    'it has more lists of rules than are compared',
  )
  const [keepsAll, addsNone] = [impliesSecurity(old, now), impliesSecurity(now, old)]
  if (keepsAll && !addsNone) add('auth-loosened', 'further callers are authorised')
  if (keepsAll) compareSchemes(old, now, changes)
  else add(addsNone ? 'auth-tightened' : 'auth-changed', 'callers are rejected that were authorised')
}

/** True if every caller that one security authorises is authorised by another. */
function impliesSecurity(from: Security, to: Security): boolean {
  return to.every((rules) => {
    const wider = new Set(rules.map(({ text }) => text))
    return from.some((each) => each.every(({ text }) => wider.has(text)))
  })
}

function compareSchemes(old: Security, now: Security, changes: Changes): void {
  const before = new Map(old.flat().map(({ text, scheme }) => [text, scheme]))
  for (const { text, scheme } of now.flat()) {
    const was = before.get(text)
    const message = `callers of ${text} identify themselves by ${scheme}, and no longer by ${was}`
    if (was !== undefined && scheme !== undefined && was !== scheme)
      changes.add('auth-changed', changes.method, message, was, scheme)
  }
}

function securityText(security: Security): string {
  const lists = security.map((rules) => rules.map(({ text }) => text).join(' or ') || 'a rule that no caller fulfils')
  return lists.join(', and ') || 'every caller'
}
