import type { Api, Method, Param, Signature } from './api.js'
import { type Change, type ChangeCode, type ChangeText, changeOf } from './change.js'
import { type Compare, createComparison, type Subject } from './compare.js'
import { describeType } from './describe.js'
import { createOverloadComparison, describeSignature, isOverloaded, type OverloadComparison } from './overloads.js'
import { compareSecurity } from './security.js'
import type { ObjectBranch, Type } from './type.js'
import { became, withoutNull } from './walk.js'
import { areApart, createSame, type Relation } from './within.js'

/**
 * Returns the changes from one version of an API to the next: method by method in the order of the old one, then new
 * methods. Throws UsageError for a reference that cannot be resolved.
 */
export function compareApis(old: Api, now: Api): Change[] {
  const same = createSame()
  const byName = new Map(now.methods.map((method) => [method.name, method]))
  const names = new Set(old.methods.map(({ name }) => name))
  const added = now.methods.filter(({ name }) => !names.has(name))
  const renamed = matchRenamed(
    old.methods.filter(({ name }) => !byName.has(name)),
    added,
    same,
  )
  const isRenamed = new Set(renamed.values())
  const compare = { types: createComparison(same), overloads: createOverloadComparison() }
  const documented = old.kind !== 'lock' && now.kind !== 'lock'
  const changes = old.methods.flatMap((one) => {
    const { name } = one
    const same = byName.get(name)
    if (same) {
      const values = compareValues(one, same, compare)
      return [...values, ...compareRest(one, same, documented, values)]
    }
    const other = renamed.get(one)
    if (!other) return [changeOf('method-removed', name, name, { message: 'the method was removed', old: name })]
    const text = { message: `the method is called ${other.name} now`, old: name, new: other.name }
    return [changeOf('method-renamed', name, name, text), ...compareRest(one, other, documented, [])]
  })
  const isNew = added.filter((method) => !isRenamed.has(method))
  const text = (name: string) => ({ message: 'the method was added', new: name })
  return [...changes, ...isNew.map(({ name }) => changeOf('method-added', name, name, text(name)))]
}

/** Pairs removed methods with added ones that have the same params and result and the most similar name, unless there are many. */
function matchRenamed(
  removed: readonly Method[],
  added: readonly Method[],
  same: Relation,
): ReadonlyMap<Method, Method> {
  const free = byShape(added)
  const found = new Map<Method, Method>()
  for (const [shape, methods] of byShape(removed)) {
    const candidates = free.get(shape) ?? []
    if (candidates.length * methods.length > mostPairs) continue
    for (const method of methods) {
      const [best] = candidates
        .filter((each) => hasSameTypes(method, each, same))
        .map((each) => [each, likeness(method, each)] as const)
        .sort(([, a], [, b]) => b - a)
      if (!best) continue
      candidates.splice(candidates.indexOf(best[0]), 1)
      found.set(method, best[0])
    }
  }
  return found
}

/** Removed methods that may each be one of more added ones are reported as removed: all pairs would be compared. */
const mostPairs = 100 * 100

function byShape(methods: readonly Method[]): ReadonlyMap<string, Method[]> {
  const found = new Map<string, Method[]>()
  for (const method of methods) {
    const shape = shapeOf(method)
    const same = found.get(shape)
    if (same) same.push(method)
    else found.set(shape, [method])
  }
  return found
}

/** A key of methods that may have the same params and result. */
function shapeOf(method: Method): string {
  return JSON.stringify(
    [method, ...(method.overloads ?? [])].map(({ params, result }) => [
      params.map(({ name, required, rest, type }) => [name, required, rest, outlineOf(type)]),
      result && outlineOf(result),
    ]),
  )
}

/** The kinds of values of a type and of its members, regardless of the order of branches and members. */
function outlineOf(type: Type, depth = 2): string {
  const membersOf = ({ members }: ObjectBranch) =>
    Array.from(members, ([name, member]) => `${JSON.stringify(name)}: ${outlineOf(member.type, depth - 1)}`).sort()
  const all = type.branches().map((each) => (each.kind === 'object' && depth > 0 ? `{${membersOf(each)}}` : each.kind))
  return `(${all.sort().join(' | ')})`
}

function hasSameTypes(old: Method, now: Method, same: Relation): boolean {
  const [before, after] = [typesIn(old), typesIn(now)]
  return before.every((type, i) => after[i] && same.types(type, after[i]))
}

function typesIn({ overloads = [], ...method }: Method): Type[] {
  return [method, ...overloads].flatMap(({ params, result }) => [
    ...params.map(({ type }) => type),
    ...(result ? [result] : []),
  ])
}

/** Returns the share of letter pairs that two names have in common. */
function likeness({ name: a }: Method, { name: b }: Method): number {
  const pairsIn = (name: string) => {
    const text = `^${name.toLowerCase()}$`
    return new Set(Array.from(text.slice(1), (letter, i) => `${text[i]}${letter}`))
  }
  const [one, other] = [pairsIn(a), pairsIn(b)]
  return (2 * [...one].filter((pair) => other.has(pair)).length) / (one.size + other.size)
}

interface Comparisons {
  readonly types: Compare
  readonly overloads: OverloadComparison
}

/** Compares what is sent and what is returned. */
function compareValues(old: Method, now: Method, compare: Comparisons): Change[] {
  // Schemas show the types of XML-RPC only together with signatures.
  const xml = [old, now].every((each) => isXmlCallable(each) && each.signatures !== undefined)
  const params = compareParams(old, now, compare.types, xml)
  // The result of a subscription is its items, which are not comparable with the result of a call.
  const compareAll = (pairs: readonly SignaturePair[]) =>
    old.subscription === now.subscription ? certain(old, now, compareResults(old, pairs, compare.types, xml)) : []
  if (!isOverloaded(old, now)) return [...params, ...compareAll([[old, now]])]
  const calls = compare.overloads.calls(old, now, params)
  const pairs = compare.overloads.handling(old, now) ?? [[old, now]]
  return [...params, ...calls, ...compareAll(pairs)]
}

/** If both versions have the same scalar as XML-RPC result, differences that the schemas suggest for XML-RPC are dropped. */
function certain(
  { name, signatures: old = [] }: Method,
  { signatures: now = [] }: Method,
  results: Change[],
): Change[] {
  const types = new Set([...old, ...now].map(([result = '']) => result))
  const isSame = types.size === 1 && !['undef', 'array', 'struct'].some((each) => types.has(each))
  return isSame ? results.filter(({ code, path }) => code !== 'signature-changed' || path !== `${name}()`) : results
}

type SignaturePair = readonly [old: Signature, now: Signature]

/** Compares the results of signatures that accept the same calls. A change of only some of them names their calls. */
function compareResults(method: Method, pairs: readonly SignaturePair[], compare: Compare, xml: boolean): Change[] {
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

function compareResult({ name }: Method, old: Signature, now: Signature, compare: Compare, xml: boolean): Change[] {
  const path = `${name}()`
  if (old.result && now.result) return compare(old.result, now.result, { side: 'result', method: name, path, xml })
  if (old.result) {
    const text = {
      message: 'the method became a notification: it no longer returns a result',
      old: describeType(old.result),
    }
    return [changeOf('result-removed', name, path, text)]
  }
  if (!now.result) return []
  const text = { message: 'the method was a notification and returns a result now', new: describeType(now.result) }
  return [changeOf('result-added', name, path, text)]
}

function compareParams(old: Method, now: Method, compare: Compare, xml: boolean): Change[] {
  const { name: method, structure } = old
  const kept = matchParams(old.params, now.params)
  const isKept = new Set(kept.flat())
  const at = (name: string) => `${method}(${name})`
  const change = (code: ChangeCode, { name }: Param, text: ChangeText) => changeOf(code, method, at(name), text)
  const removed = old.params.filter((each) => !isKept.has(each))
  const added = now.params.filter((each) => !isKept.has(each))
  return [
    ...removed.map((param) =>
      change('param-removed', param, { message: 'the param was removed', old: describeType(param.type) }),
    ),
    ...added.map((param) => {
      const message = `the param ${param.required ? 'has to be sent' : 'may be sent'}`
      const code = param.required ? 'param-added-required' : 'param-added-optional'
      return change(code, param, { message, new: describeType(param.type) })
    }),
    ...kept.flatMap(([one, other]) => [
      ...renamedParam(structure, one, other).map(([code, text]) => change(code, one, text)),
      ...restChanged(structure, one, other).map(([code, text]) => change(code, one, text)),
      ...requiredChanged(one, other).map(([code, text]) => change(code, one, text)),
      ...compareParam(one, other, { side: 'param', method, path: at(one.name), xml }, compare),
    ]),
    ...reordered(old, now, kept),
  ]
}

function compareParam(old: Param, now: Param, subject: Subject, compare: Compare): Change[] {
  if (old.required === now.required) return compare(old.type, now.type, subject)
  return compare(withoutNull(old.type), withoutNull(now.type), subject)
}

type ParamPair = readonly [old: Param, now: Param]
type CodeAndText = readonly [code: ChangeCode, text: ChangeText]

/** Pairs params by name. A removed param is paired with the new one at its position if both can accept a common value. */
function matchParams(old: readonly Param[], now: readonly Param[]): ParamPair[] {
  const names = new Set(old.map(({ name }) => name))
  const byName = new Map(now.map((each) => [each.name, each]))
  return old.flatMap((one, i): ParamPair[] => {
    const same = byName.get(one.name)
    if (same) return [[one, same]]
    const other = now[i]
    return other && !names.has(other.name) && isAlike(one, other) ? [[one, other]] : []
  })
}

function isAlike(old: Param, now: Param): boolean {
  const branches = old.type.branches().filter(({ kind }) => kind !== 'null')
  return !areApart(branches, now.type.branches())
}

/** Calls by position do not depend on names. */
function renamedParam(structure: Method['structure'], { name: old }: Param, { name: now }: Param): CodeAndText[] {
  if (old === now) return []
  const message = `the param is called ${now} now`
  if (structure === 'by-position') return [['docs-changed', { message, old, new: now }]]
  return [['param-renamed', { message: `${message}: calls by name break, calls by position do not`, old, new: now }]]
}

/** Calls by name send a list in both versions. */
function restChanged(structure: Method['structure'], old: Param, now: Param): CodeAndText[] {
  if (old.rest === now.rest || structure === 'by-name') return []
  const [one, other] = old.rest ? ['a rest parameter', 'one param'] : ['one param', 'a rest parameter']
  const message = `${one} became ${other}: calls by position break, calls by name do not`
  return [['param-rest-changed', { message, old: one, new: other }]]
}

function requiredChanged(old: Param, now: Param): CodeAndText[] {
  if (old.required === now.required) return []
  const text = { new: describeType(now.type) }
  return now.required
    ? [['param-required', { message: 'the param has to be sent', ...text }]]
    : [['param-optional', { message: 'the param may be left out', ...text }]]
}

/** True if arguments by position reach another param; a removed or a new param moves those that follow it. */
function reordered(old: Method, now: Method, kept: readonly ParamPair[]): Change[] {
  const { name, structure } = old
  if (structure === 'by-name') return []
  const placesOf = ({ params }: Method) => new Map(params.map((each, i) => [each, i]))
  const [before, after] = [placesOf(old), placesOf(now)]
  const positions = kept.map(([one, other]) => [before.get(one) ?? 0, after.get(other) ?? 0] as const)
  const moved = positions.some(([before, after]) => before !== after)
  const ordered = positions.every(([, after], i) => i === 0 || (positions[i - 1]?.[1] ?? 0) < after)
  const known = new Set(kept.map(([, other]) => other))
  const isNew = (param: Param) => !known.has(param)
  const explained = kept.length < old.params.length || now.params.some((each) => each.required && isNew(each))
  if (!moved || (ordered && explained)) return []
  const namesOf = ({ params }: Method) => `(${params.map((each) => each.name).join(', ')})`
  const text = became(namesOf(old), namesOf(now))
  const message = `${text.message}: calls by position break, calls by name do not`
  return [changeOf('param-reordered', name, name, { ...text, message })]
}

/** Compares everything except types; `reported` are the changes that were reported for these. */
function compareRest(old: Method, now: Method, documented: boolean, reported: readonly Change[]): Change[] {
  const change = (code: ChangeCode, text: ChangeText) => changeOf(code, old.name, old.name, text)
  const lost = <Value>(from: readonly Value[], to: readonly Value[]) => {
    const kept = new Set(to)
    return from.filter((each) => !kept.has(each))
  }
  const [errors, nowErrors] = [[...old.errors.keys()], [...now.errors.keys()]]
  return [
    ...lost(old.protocols, now.protocols).map((each) =>
      change('protocol-removed', { message: `${each} can no longer call it`, old: each }),
    ),
    ...lost(now.protocols, old.protocols).map((each) =>
      change('protocol-added', { message: `${each} can also call it`, new: each }),
    ),
    ...compareSignatures(old, now, reported),
    ...compareStructures(old, now),
    ...(old.subscription === now.subscription
      ? []
      : [change('subscription-changed', { message: now.subscription ? becameSubscription : becameCall })]),
    ...(old.idempotent === now.idempotent
      ? []
      : [change(now.idempotent ? 'idempotent-added' : 'idempotent-removed', { message: mayBeSentAgain(now) })]),
    ...compareSecurity(old.security, now.security).map(({ code, ...text }) => change(code, text)),
    ...lost(errors, nowErrors).map((code) =>
      change('error-removed', { message: `error ${code} is no longer declared`, old: `${code}` }),
    ),
    ...lost(nowErrors, errors).map((code) =>
      change('error-added', { message: `error ${code} is declared`, new: `${code}` }),
    ),
    ...(documented ? compareDocs(old, now) : []),
  ]
}

function mayBeSentAgain({ idempotent }: Method): string {
  return `a call whose response was lost may ${idempotent ? 'be sent again' : 'no longer be sent again'}`
}

const becameSubscription =
  'the method became a subscription: its result is an id, and it is available over WebSocket only'
const becameCall = 'the method was a subscription and returns its value now'

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
  const changed = [...old.docs].flatMap(([subject, text]) =>
    (now.docs.get(subject) ?? text) === text ? [] : [subject],
  )
  return [
    ...(now.deprecated && !old.deprecated ? [change('deprecated', 'the method is deprecated')] : []),
    ...(old.deprecated && !now.deprecated ? [change('undeprecated', 'the method is no longer deprecated')] : []),
    ...(changed.length > 0 ? [change('docs-changed', `changed texts: ${changed.join(', ')}`)] : []),
  ]
}

function isXmlCallable({ protocols }: Method): boolean {
  return protocols.includes('xml-rpc')
}

/** Compares the signatures of XML-RPC, which show the type of a result: `<int>` is not `<double>`. */
function compareSignatures(old: Method, now: Method, reported: readonly Change[]): Change[] {
  const { name } = old
  if (!old.signatures || !isXmlCallable(old) || !isXmlCallable(now)) return []
  if (!now.signatures) {
    const message = 'xml-rpc can no longer call it: XML-RPC cannot represent one of its types'
    return [changeOf('protocol-removed', name, name, { message, old: 'xml-rpc' })]
  }
  const changed = changedResult(old.signatures, now.signatures)
  if (!changed || reported.some(({ breaking, path }) => breaking && path === `${name}()`)) return []
  const [one, other] = changed
  // A type in a union is compared by the types themselves.
  if (one.includes('undef') || other.includes('undef')) return []
  const message = `XML-RPC clients get ${other} instead of ${one}`
  // Without the results of overloads it is unknown whether callers of JSON-RPC are affected.
  const areKnown = [old, now].every(({ overloads = [] }) => overloads.every(({ result }) => result))
  const code = areKnown ? 'signature-changed' : 'result-type-changed'
  return [changeOf(code, name, `${name}()`, { message, old: one, new: other })]
}

type XmlSignatures = readonly (readonly string[])[]

/** The result of the first call whose result changed; if no signature was kept, all results together. */
function changedResult(old: XmlSignatures, now: XmlSignatures): readonly [string, string] | undefined {
  const byParams = new Map(now.map(([result = '', ...params]) => [params.join(), result]))
  const same = old.flatMap(([result = '', ...params]) => {
    const other = byParams.get(params.join())
    return other === undefined ? [] : [[result, other] as const]
  })
  if (same.length > 0) return same.find(([one, other]) => one !== other)
  const all = (signatures: XmlSignatures) => [...new Set(signatures.map(([result = '']) => result))].sort().join(' or ')
  const [one, other] = [all(old), all(now)]
  return one === other ? undefined : [one, other]
}
