// Compares the methods of two versions by name: what callers send, what they receive, and the other properties of each method.
//
//     a(x: Int): string  →  a(x: Int, y?: Int): string      [{ code: 'param-added-optional', path: 'a(y)' }]
import { type Change, Changes } from './change.js'
import { compareOverloads, type SignaturePairs } from './compare-overloads.js'
import { comparePair, compareTypes, createRelations, onlyByKey, type Relations } from './compare-types.js'
import type { Method, Param, Signature } from './contract.js'
import { describeSignature, describeType } from './describe.js'
import { compareProperties, type ParamStructure, without } from './properties.js'
import { compareSecurity, rejectionCodes } from './security.js'
import { Steps, TooManySteps } from './steps.js'

/**
 * Returns the changes from one version of an API to the next: method by method in the order of the old one, then new methods.
 * `steps`: those that the types are made with.
 */
export function compareMethods(old: readonly Method[], now: readonly Method[], steps: Steps): Change[] {
  const after = new Map(now.map((each) => [each.name, each]))
  const names = new Set(old.map(({ name }) => name))
  const added = now.filter(({ name }) => !names.has(name))
  const removed = old.filter(({ name }) => !after.has(name))
  const renamed = renamedMethods(removed, added)
  const compare = comparing(steps)
  const compared = old.flatMap((one) => {
    const { name } = one
    const other = after.get(name) ?? renamed.get(one)
    const changes = new Changes(name)
    if (!other) changes.add('method-removed', name, 'the method was removed', name)
    else if (other.name !== name)
      changes.add('method-renamed', name, `the method is called ${other.name} now`, name, other.name)
    return other ? [...changes.all, ...compare(one, other)] : changes.all
  })
  const isRenamed = new Set(renamed.values())
  const further = added.flatMap((each) => {
    const changes = new Changes(each.name)
    if (!isRenamed.has(each)) changes.add('method-added', each.name, 'the method was added', undefined, each.name)
    return changes.all
  })
  return [...compared, ...further]
}

/** Pairs a removed method with the new one that has its params and results, if no other method of a version has these. */
function renamedMethods(removed: readonly Method[], added: readonly Method[]): Map<Method, Method> {
  const addedBySignature = onlyByKey(added, signaturesText)
  const pairs = [...onlyByKey(removed, signaturesText)].flatMap(([text, method]) => {
    const other = addedBySignature.get(text)
    return method && other ? [[method, other] as const] : []
  })
  return new Map(pairs)
}

/** Returns the params and results of a method in short; if these are too many, the name, which no other method has. */
function signaturesText(method: Method): string {
  const resultOf = ({ result }: Signature) => (result ? describeType(result) : '')
  const signatures = method.overloads ?? [method]
  try {
    return signatures.map((each) => `${describeSignature(each)}: ${resultOf(each)}`).join()
  } catch (error) {
    if (error instanceof TooManySteps) return `name ${method.name}`
    throw error
  }
}

/** The size of the changes that are reported, counted by `Changes`: 140,000 changes, which occupy 160 MB. Many methods may have one large type. */
const MAX_REPORT = 2_250_000

/** Returns a function that compares two versions of a method: their types, then all else, each with a share of the steps. */
function comparing(steps: Steps): (old: Method, now: Method) => readonly Change[] {
  const report = new Steps(MAX_REPORT)
  let relations = createRelations(steps, report)
  const share = (changes: Changes, compare: () => void) =>
    steps.share(() => {
      try {
        compare()
      } catch (error) {
        if (!(error instanceof TooManySteps)) throw error
        changes.stopped(error.message)
        // If comparing has stopped, they have assumptions that were not examined.
        if (steps.left < 0) relations = createRelations(steps, report)
      }
    })
  return (old, now) => {
    const changes = new Changes(old.name, report)
    share(changes, () => compareValues(old, now, relations, changes))
    // If there is no room for more changes, that is reported.
    if (report.left < 0) return changes.all
    share(changes, () => {
      compareProperties(old, now, changes)
      compareSecurity(old.security, now.security, changes, steps)
      compareErrors(old, now, changes)
      compareDocs(old, now, changes)
    })
    return changes.all
  }
}

/** Compares what is sent and what is returned. */
function compareValues(old: Method, now: Method, relations: Relations, changes: Changes): void {
  const xml = old.xml && now.xml
  compareParams(old, now, xml, relations, changes)
  let pairs: SignaturePairs = [[old, now]]
  if (old.overloads || now.overloads) {
    const handling = compareOverloads(old, now, xml ? 'xml' : 'json', relations, changes)
    if ([old, now].every(({ overloads = [] }) => overloads.every(({ result }) => result))) pairs = handling
    else compareSignatures(old, now, changes)
  }
  // The result of a subscription is its items, which are not comparable with the result of a call.
  if (old.subscription === now.subscription) compareResults(pairs, xml, relations, changes)
}

/** A document does not have the results of overloads, but what `system.methodSignature` returns: the result, then the params. */
function compareSignatures({ name, signatures: old = [] }: Method, now: Method, changes: Changes): void {
  // Several overloads may have params of the same types.
  const results = new Map<string, Set<string>>()
  for (const [result = '', ...params] of old)
    results.set(params.join(), (results.get(params.join()) ?? new Set()).add(result))
  for (const [after = '', ...params] of now.signatures ?? []) {
    const known = results.get(params.join())
    if (!known || known.has(after)) continue
    const before = [...known].join(' or ')
    changes.add('result-type-changed', `${name}()`, `XML-RPC clients get ${after} instead of ${before}`, before, after)
    return
  }
}

/** A change of the results of only some signatures names their calls. */
function compareResults(pairs: SignaturePairs, xml: boolean, relations: Relations, changes: Changes): void {
  const found = new Map<string, { readonly change: Change; readonly of: Set<Signature> }>()
  for (const [old, now] of pairs) {
    for (const change of compareResult(old, now, changes.method, xml, relations)) {
      const text = JSON.stringify(change)
      const known = found.get(text) ?? { change, of: new Set() }
      known.of.add(old)
      found.set(text, known)
    }
  }
  const count = new Set(pairs.map(([old]) => old)).size
  for (const { change, of } of found.values()) {
    const signatures = () => Array.from(of, (each) => describeSignature(each)).join(' and ')
    const calls = of.size === count ? '' : `, to calls with ${signatures()}`
    changes.all.push({ ...change, message: change.message + calls })
  }
}

function compareResult(
  { result: old }: Signature,
  { result: now }: Signature,
  method: string,
  xml: boolean,
  relations: Relations,
): readonly Change[] {
  const [path, changes] = [`${method}()`, new Changes(method)]
  if (old && now) return compareTypes(old, now, { side: 'result', method, path, xml }, relations)
  const [removed, added] = ['the method became a notification: it no longer', 'the method was a notification and']
  if (old) changes.add('result-removed', path, `${removed} returns a result`, describeType(old))
  if (now) changes.add('result-added', path, `${added} returns a result now`, undefined, describeType(now))
  return changes.all
}

function compareParams(old: Method, now: Method, xml: boolean, relations: Relations, changes: Changes): void {
  const { name: method, paramsObject: structure } = old
  const kept = matchParams(old.params, now.params)
  const isKept = new Set(kept.flat())
  const [removed, added] = [old, now].map(({ params }) => params.filter((each) => !isKept.has(each)))
  const compare = (one: Param | undefined, other: Param | undefined) => {
    const path = `${method}(${(one ?? other)?.name})`
    if (one && other) compareParam(structure, one, other, path, changes)
    const subject = { side: 'param', method, path, xml } as const
    for (const each of comparePair({ path: '', one, other }, subject, relations)) changes.all.push(each)
  }
  for (const each of removed ?? []) compare(each, undefined)
  for (const each of added ?? []) compare(undefined, each)
  for (const [one, other] of kept) compare(one, other)
  compareOrder(old, now, kept, changes)
}

type ParamPair = readonly [old: Param, now: Param]

/** Pairs params by name. A removed param is paired with the new one at its position if both accept values of one kind. */
function matchParams(old: readonly Param[], now: readonly Param[]): ParamPair[] {
  const names = new Set(old.map(({ name }) => name))
  const byName = new Map(now.map((each) => [each.name, each]))
  const kindsOf = ({ type }: Param) => type.withoutNull.kinds
  return old.flatMap((one, i): ParamPair[] => {
    const other = byName.get(one.name) ?? now[i]
    if (!other || (other.name !== one.name && names.has(other.name))) return []
    if (other.name === one.name) return [[one, other]]
    const kinds = kindsOf(other)
    const isLike = [...kindsOf(one)].some((kind) => kinds.has(kind))
    return isLike ? [[one, other]] : []
  })
}

/** Calls by position do not depend on names; calls by name send a list for a rest parameter too. */
function compareParam(structure: ParamStructure, old: Param, now: Param, path: string, changes: Changes): void {
  if (old.name !== now.name) {
    const message = `the param is called ${now.name} now`
    if (structure === 'by-position') changes.add('docs-changed', path, message, old.name, now.name)
    else changes.add('param-renamed', path, `${message}: ${byNameBreaks}`, old.name, now.name)
  }
  if (old.rest !== now.rest && structure !== 'by-name') {
    const wordOf = ({ rest }: Param) => (rest ? 'a rest parameter' : 'one param')
    changes.became('param-rest-changed', path, wordOf(old), wordOf(now), `: ${byPositionBreaks}`)
  }
}

const byNameBreaks = 'calls by name break, calls by position do not'
const byPositionBreaks = 'calls by position break, calls by name do not'

/** Reports that arguments by position reach another param; a removed or a new param moves those that follow it. */
function compareOrder(old: Method, now: Method, kept: readonly ParamPair[], changes: Changes): void {
  if (old.paramsObject === 'by-name') return
  const [before, after] = [old, now].map(({ params }) => new Map(params.map((each, i) => [each, i])))
  const positions = kept.map(([one, other]) => [before?.get(one) ?? 0, after?.get(other) ?? 0] as const)
  const isMoved = positions.some(([one, other]) => one !== other)
  const isOrdered = positions.every(([, other], i) => i === 0 || (positions[i - 1]?.[1] ?? 0) < other)
  const known = new Set(kept.map(([, other]) => other))
  const isExplained = kept.length < old.params.length || now.params.some((each) => !each.optional && !known.has(each))
  if (!isMoved || (isOrdered && isExplained)) return
  const namesOf = ({ params }: Method) => `(${params.map(({ name }) => name).join(', ')})`
  changes.became('param-reordered', old.name, namesOf(old), namesOf(now), `: ${byPositionBreaks}`)
}

/** Compares the errors of a method; those of its auth are compared with its rules. */
function compareErrors(old: Method, now: Method, changes: Changes): void {
  const { name } = old
  // A rule of auth has its error, which a document lists and a lock does not: a change of the rules is the change of it.
  const known = [old, now].flatMap(({ security }) => rejectionCodes(security))
  for (const code of without(old.errors, [...now.errors, ...known]))
    changes.add('error-removed', name, `error ${code} is no longer declared`, `${code}`)
  for (const code of without(now.errors, [...old.errors, ...known]))
    changes.add('error-added', name, `error ${code} is declared`, undefined, `${code}`)
}

/** Only documents have them. */
function compareDocs(old: Method, now: Method, changes: Changes): void {
  const { name } = old
  if (now.deprecated && !old.deprecated) changes.add('deprecated', name, 'the method is deprecated')
  if (old.deprecated && !now.deprecated) changes.add('undeprecated', name, 'the method is no longer deprecated')
  const subjects = [...(old.docs ?? [])].filter(([subject, text]) => (now.docs?.get(subject) ?? text) !== text)
  const texts = subjects.map(([subject]) => subject).join(', ')
  if (texts !== '') changes.add('docs-changed', name, `changed texts: ${texts}`)
}
