// Compares the methods of two versions by name: what callers send, what they receive, and the other properties of each method.
//
//     a(x: Int): string  →  a(x: Int, y?: Int): string      [{ code: 'param-added-optional', path: 'a(y)' }]
import { type Change, type ChangeCode, type ChangeText, changeOf } from './change.js'
import type { Method, Param, Signature } from './contract.js'
import { describeType } from './describe.js'
import { compareOverloads, describeSignature } from './overloads.js'
import { compareSecurity, rejectionCodes } from './security.js'
import { branchesOf, kindOf, type Type } from './type.js'
import { became, type Comparison, createComparison, type Subject, withoutNull } from './walk.js'

/**
 * Returns the changes from one version of an API to the next: method by method in the order of the old one, then new methods.
 * `documented`: both versions have texts for people.
 */
export function compareMethods(old: readonly Method[], now: readonly Method[], documented: boolean): Change[] {
  const comparison = createComparison()
  const byName = new Map(now.map((method) => [method.name, method]))
  const names = new Set(old.map(({ name }) => name))
  const added = now.filter(({ name }) => !names.has(name))
  const renamed = findRenamed(
    old.filter(({ name }) => !byName.has(name)),
    added,
    comparison,
  )
  const isRenamed = new Set(renamed.values())
  const rest = (one: Method, other: Method) =>
    [...properties, ...(documented ? [compareDocs] : [])].flatMap((compare) => compare(one, other))
  const changes = old.flatMap((one) => {
    const { name } = one
    const same = byName.get(name)
    if (same) return [...compareValues(one, same, comparison), ...rest(one, same)]
    const other = renamed.get(one)
    if (!other) return [changeOf('method-removed', name, name, { message: 'the method was removed', old: name })]
    const text = { message: `the method is called ${other.name} now`, old: name, new: other.name }
    return [changeOf('method-renamed', name, name, text), ...rest(one, other)]
  })
  const isNew = added.filter((method) => !isRenamed.has(method))
  const text = (name: string) => ({ message: 'the method was added', new: name })
  return [...changes, ...isNew.map(({ name }) => changeOf('method-added', name, name, text(name)))]
}

/** Pairs a removed method with the only added one that has the same params and result, if it is the only removed one with them. */
function findRenamed(
  removed: readonly Method[],
  added: readonly Method[],
  comparison: Comparison,
): ReadonlyMap<Method, Method> {
  const candidates = onlyBySignature(added)
  return new Map(
    [...onlyBySignature(removed)].flatMap(([text, method]) => {
      const other = candidates.get(text)
      return method && other && compareValues(method, other, comparison).length === 0 ? [[method, other]] : []
    }),
  )
}

/** Returns methods by their params and results; undefined for a text that several have. */
function onlyBySignature(methods: readonly Method[]): ReadonlyMap<string, Method | undefined> {
  const found = new Map<string, Method | undefined>()
  for (const method of methods) {
    const signatures = (method.overloads ?? [method]).map((each) => {
      return `${describeSignature(each)}: ${each.result ? describeType(each.result) : ''}`
    })
    const text = signatures.join()
    found.set(text, found.has(text) ? undefined : method)
  }
  return found
}

/** Compares what is sent and what is returned. */
function compareValues(old: Method, now: Method, { compare, accepting }: Comparison): Change[] {
  const xml = old.xml && now.xml
  const params = compareParams(old, now, compare, xml)
  const results = (pairs: Parameters<typeof compareResults>[1]) =>
    // The result of a subscription is its items, which are not comparable with the result of a call.
    old.subscription === now.subscription ? compareResults(old, pairs, compare, xml) : []
  if (!old.overloads && !now.overloads) return [...params, ...results([[old, now]])]
  const { changes, pairs } = compareOverloads(
    old,
    now,
    accepting(xml),
    params.some(({ breaking }) => breaking),
  )
  const areKnown = [old, now].every(({ overloads = [] }) => overloads.every(({ result }) => result))
  return [
    ...params,
    ...changes,
    ...(areKnown ? results(pairs) : [...results([[old, now]]), ...compareSignatures(old, now)]),
  ]
}

/** A document does not have the results of overloads, but what `system.methodSignature` returns for each. */
function compareSignatures({ name, signatures: old = [] }: Method, { signatures: now = [] }: Method): Change[] {
  const results = new Map(now.map(([result, ...params]) => [params.join(), result]))
  const resultNow = ([result = '', ...params]: readonly string[]) => results.get(params.join()) ?? result
  const changed = old.find((signature) => resultNow(signature) !== (signature[0] ?? ''))
  if (!changed) return []
  const [before = '', after] = [changed[0], resultNow(changed)]
  const message = `XML-RPC clients get ${after} instead of ${before}`
  return [changeOf('result-type-changed', name, `${name}()`, { message, old: before, new: after })]
}

/** Compares the results of signatures that accept the same calls. A change of only some of them names their calls. */
function compareResults(
  method: Method,
  pairs: readonly (readonly [old: Signature, now: Signature])[],
  compare: Comparison['compare'],
  xml: boolean,
): Change[] {
  const found = new Map<string, { readonly change: Change; readonly of: Set<Signature> }>()
  for (const [old, now] of pairs) {
    for (const change of compareResult(method, old, now, compare, xml)) {
      const key = JSON.stringify(change)
      const known = found.get(key) ?? { change, of: new Set() }
      known.of.add(old)
      found.set(key, known)
    }
  }
  const all = new Set(pairs.map(([old]) => old)).size
  return Array.from(found.values(), ({ change, of }) => {
    if (of.size === all) return change
    return { ...change, message: `${change.message}, to calls with ${Array.from(of, describeSignature).join(' and ')}` }
  })
}

function compareResult(
  { name }: Method,
  old: Signature,
  now: Signature,
  compare: Comparison['compare'],
  xml: boolean,
): readonly Change[] {
  const path = `${name}()`
  if (old.result && now.result) return compare(old.result, now.result, { direction: 'output', method: name, path, xml })
  if (old.result) {
    const message = 'the method became a notification: it no longer returns a result'
    return [changeOf('result-removed', name, path, { message, old: describeType(old.result) })]
  }
  if (!now.result) return []
  const message = 'the method was a notification and returns a result now'
  return [changeOf('result-added', name, path, { message, new: describeType(now.result) })]
}

function compareParams(old: Method, now: Method, compare: Comparison['compare'], xml: boolean): Change[] {
  const { name: method, structure } = old
  const kept = matchParams(old.params, now.params)
  const isKept = new Set(kept.flat())
  const at = (name: string) => `${method}(${name})`
  const change = (code: ChangeCode, { name }: Param, text: ChangeText) => changeOf(code, method, at(name), text)
  return [
    ...old.params
      .filter((each) => !isKept.has(each))
      .map((param) =>
        change('param-removed', param, { message: 'the param was removed', old: describeType(param.type) }),
      ),
    ...now.params
      .filter((each) => !isKept.has(each))
      .map((param) => {
        const message = `the param ${param.required ? 'has to be sent' : 'may be sent'}`
        const code = param.required ? 'param-added-required' : 'param-added-optional'
        return change(code, param, { message, new: describeType(param.type) })
      }),
    ...kept.flatMap(([one, other]) => [
      ...compareParam(structure, one, other).map(([code, text]) => change(code, one, text)),
      ...compareParamTypes(one, other, { direction: 'input', method, path: at(one.name), xml }, compare),
    ]),
    ...reordered(old, now, kept),
  ]
}

function compareParamTypes(
  old: Param,
  now: Param,
  subject: Subject,
  compare: Comparison['compare'],
): readonly Change[] {
  if (old.required === now.required) return compare(old.type, now.type, subject)
  return compare(withoutNull(old.type), withoutNull(now.type), subject)
}

type ParamPair = readonly [old: Param, now: Param]

/** Pairs params by name. A removed param is paired with the new one at its position if both accept values of one kind. */
function matchParams(old: readonly Param[], now: readonly Param[]): ParamPair[] {
  const names = new Set(old.map(({ name }) => name))
  const byName = new Map(now.map((each) => [each.name, each]))
  return old.flatMap((one, i): ParamPair[] => {
    const same = byName.get(one.name)
    if (same) return [[one, same]]
    const other = now[i]
    return other && !names.has(other.name) && areAlike(withoutNull(one.type), other.type) ? [[one, other]] : []
  })
}

function areAlike(old: Type, now: Type): boolean {
  const kinds = new Set(branchesOf(old).map(kindOf))
  return branchesOf(now).some((each) => kinds.has(kindOf(each)))
}

/** Calls by position do not depend on names; calls by name send a list for a rest parameter too. */
function compareParam(structure: Method['structure'], old: Param, now: Param): (readonly [ChangeCode, ChangeText])[] {
  const changes: [ChangeCode, ChangeText][] = []
  if (old.name !== now.name) {
    const message = `the param is called ${now.name} now`
    const names = { old: old.name, new: now.name }
    if (structure === 'by-position') changes.push(['docs-changed', { message, ...names }])
    else
      changes.push([
        'param-renamed',
        { message: `${message}: calls by name break, calls by position do not`, ...names },
      ])
  }
  if (old.rest !== now.rest && structure !== 'by-name') {
    const [one, other] = old.rest ? ['a rest parameter', 'one param'] : ['one param', 'a rest parameter']
    const message = `${one} became ${other}: calls by position break, calls by name do not`
    changes.push(['param-rest-changed', { message, old: one, new: other }])
  }
  const text = { new: describeType(now.type) }
  if (now.required && !old.required) changes.push(['param-required', { message: 'the param has to be sent', ...text }])
  if (old.required && !now.required) changes.push(['param-optional', { message: 'the param may be left out', ...text }])
  return changes
}

/** True if arguments by position reach another param; a removed or a new param moves those that follow it. */
function reordered(old: Method, now: Method, kept: readonly ParamPair[]): Change[] {
  const { name, structure } = old
  if (structure === 'by-name') return []
  const placesOf = ({ params }: Method) => new Map(params.map((each, i) => [each, i]))
  const [before, after] = [placesOf(old), placesOf(now)]
  const positions = kept.map(([one, other]) => [before.get(one) ?? 0, after.get(other) ?? 0] as const)
  const moved = positions.some(([one, other]) => one !== other)
  const ordered = positions.every(([, other], i) => i === 0 || (positions[i - 1]?.[1] ?? 0) < other)
  const known = new Set(kept.map(([, other]) => other))
  const explained = kept.length < old.params.length || now.params.some((each) => each.required && !known.has(each))
  if (!moved || (ordered && explained)) return []
  const namesOf = ({ params }: Method) => `(${params.map((each) => each.name).join(', ')})`
  const text = became(namesOf(old), namesOf(now))
  const message = `${text.message}: calls by position break, calls by name do not`
  return [changeOf('param-reordered', name, name, { ...text, message })]
}

type CompareProperty = (old: Method, now: Method) => readonly Change[]

/** What else of a method is compared, in the order of the report. A further property of a method is a further row. */
const properties: readonly CompareProperty[] = [
  (old, now) =>
    compareSets(old.protocols, now.protocols, {
      removed: (each) =>
        changeOf('protocol-removed', old.name, old.name, { message: `${each} can no longer call it`, old: each }),
      added: (each) =>
        changeOf('protocol-added', old.name, old.name, { message: `${each} can also call it`, new: each }),
    }),
  compareStructures,
  ({ name, subscription: old }, { subscription: now }) => {
    const became =
      'the method became a subscription: its items are sent over WebSocket, or over HTTP as server-sent events'
    const message = now ? became : 'the method was a subscription and returns its value now'
    return old === now ? [] : [changeOf('subscription-changed', name, name, { message })]
  },
  ({ name, idempotent: old }, { idempotent: now }) => {
    const message = `a call whose response was lost may ${now ? 'be sent again' : 'no longer be sent again'}`
    return old === now ? [] : [changeOf(now ? 'idempotent-added' : 'idempotent-removed', name, name, { message })]
  },
  ({ name, security: old }, { security: now }) =>
    compareSecurity(old, now).map(({ code, ...text }) => changeOf(code, name, name, text)),
  compareErrors,
]

/** A rule of auth has its error, which a document lists and a lock does not: a change of the rules is the change of it. */
function compareErrors(old: Method, now: Method): Change[] {
  const [before, after] = [rejectionCodes(old.security), rejectionCodes(now.security)]
  const rest = ({ errors }: Method) => errors.filter((code) => !before.includes(code) && !after.includes(code))
  return compareSets(rest(old), rest(now), {
    removed: (code) =>
      changeOf('error-removed', old.name, old.name, {
        message: `error ${code} is no longer declared`,
        old: `${code}`,
      }),
    added: (code) =>
      changeOf('error-added', old.name, old.name, { message: `error ${code} is declared`, new: `${code}` }),
  })
}

function compareSets<Value>(
  old: readonly Value[],
  now: readonly Value[],
  { removed, added }: Readonly<Record<'removed' | 'added', (value: Value) => Change>>,
): Change[] {
  const [before, after] = [new Set(old), new Set(now)]
  return [...old.filter((each) => !after.has(each)).map(removed), ...now.filter((each) => !before.has(each)).map(added)]
}

function compareStructures({ name, structure: old }: Method, { structure: now }: Method): Change[] {
  if (old === now) return []
  const isWider = now === 'either' && old !== 'object'
  const code = isWider ? 'param-structure-widened' : 'param-structure-narrowed'
  const words = {
    'by-name': 'by name',
    'by-position': 'by position',
    either: 'by name or by position',
    object: 'as one object',
  }
  const message = `params are accepted ${words[now]}, and were accepted ${words[old]}`
  return [changeOf(code, name, name, { message, old, new: now })]
}

function compareDocs(old: Method, now: Method): Change[] {
  const change = (code: ChangeCode, message: string) => changeOf(code, old.name, old.name, { message })
  const changed = [...(old.docs ?? [])].flatMap(([subject, text]) =>
    (now.docs?.get(subject) ?? text) === text ? [] : [subject],
  )
  return [
    ...(now.deprecated && !old.deprecated ? [change('deprecated', 'the method is deprecated')] : []),
    ...(old.deprecated && !now.deprecated ? [change('undeprecated', 'the method is no longer deprecated')] : []),
    ...(changed.length > 0 ? [change('docs-changed', `changed texts: ${changed.join(', ')}`)] : []),
  ]
}
