import type { OpenRpc } from '../../runtime/openrpc/openrpc.js'
import { type Api, type ApiMethod, apiOf } from './api.js'
import { type Change, type ChangeCode, changeOf, type Said } from './change.js'
import { type Compare, createComparison } from './compare.js'
import { describeType } from './describe.js'
import { type MethodTypes, type SignatureTypes, typesOfApis } from './method-types.js'
import { matchMethods } from './methods.js'
import { createOverloadComparison, describeSignature, isOverloaded, type OverloadComparison } from './overloads.js'
import { compareParams } from './params.js'
import { compareSignatures, hasSameResult, isXmlCallable } from './signatures.js'

export type { Change, ChangeCode } from './change.js'
export { changeCodes } from './change.js'

/**
 * What has changed from one version of an API to the next: method by method in the order of the old one, new methods
 * behind them. Throws UsageError for a reference that leads nowhere.
 */
export function diffApis(old: OpenRpc, now: OpenRpc): Change[] {
  return compareApis(apiOf(old, 'the old document'), apiOf(now, 'the new document'))
}

/** The same of APIs that were read from files. */
export function compareApis(old: Api, now: Api): Change[] {
  const [before = new Map(), after = new Map()] = typesOfApis([old, now])
  const { removed, added, kept, renamed } = matchMethods(before, after)
  const compare = { types: createComparison(), overloads: createOverloadComparison() }
  const documented = old.documented && now.documented
  const fates = new Map<ApiMethod, () => Change[]>([
    ...removed.map((method) => [method, () => [removedChange(method)]] as const),
    ...renamed.map(
      ([one, other]) => [one, () => [renamedChange(one, other), ...compareRest(one, other, documented)]] as const,
    ),
    ...kept.map(
      ([one, other]) =>
        [
          one,
          () => {
            const values = compareValues([one, other], [before.get(one), after.get(other)], compare)
            return [...values, ...compareRest(one, other, documented, values)]
          },
        ] as const,
    ),
  ])
  return [...old.methods.flatMap((method) => fates.get(method)?.() ?? []), ...added.map(addedChange)]
}

function removedChange({ name }: ApiMethod): Change {
  return changeOf('method-removed', name, name, { message: 'the method is gone', old: name })
}

function renamedChange({ name }: ApiMethod, { name: other }: ApiMethod): Change {
  return changeOf('method-renamed', name, name, { message: `the method is called ${other} now`, old: name, new: other })
}

function addedChange({ name }: ApiMethod): Change {
  return changeOf('method-added', name, name, { message: 'the method is new', new: name })
}

/** What is sent and what is answered. */
function compareValues(
  [one, other]: readonly [ApiMethod, ApiMethod],
  [old, now]: readonly [MethodTypes | undefined, MethodTypes | undefined],
  compare: { readonly types: Compare; readonly overloads: OverloadComparison },
): Change[] {
  if (!old || !now) return []
  const xml = isXmlCallable(one, other)
  const params = compareParams(one, old, now, compare.types, xml)
  const isPlain = !isOverloaded(old, now)
  const calls = isPlain ? [] : compare.overloads.calls(one, old, now, params)
  const pairs = isPlain ? undefined : compare.overloads.answering(old, now)
  const results = compareAnswers(one, pairs ?? [[old, now]], compare.types, xml)
  const isTold = ({ code, path }: Change) => code === 'signature-changed' && path === `${one.name}()`
  // What the schemas look like is a guess, where the signatures say that it is the same.
  const certain = hasSameResult(one, other) ? results.filter((each) => !isTold(each)) : results
  return [...params, ...calls, ...certain]
}

/** What is answered by the signatures that take the same calls; what is true of some of them only says of which. */
function compareAnswers(
  method: ApiMethod,
  pairs: readonly (readonly [old: SignatureTypes, now: SignatureTypes])[],
  compare: Compare,
  xml: boolean,
): Change[] {
  const found = new Map<string, { readonly change: Change; readonly of: Set<SignatureTypes> }>()
  for (const [old, now] of pairs) {
    for (const change of compareResults(method, old, now, compare, xml)) {
      const key = JSON.stringify(change)
      found.set(key, { change, of: new Set([...(found.get(key)?.of ?? []), old]) })
    }
  }
  const all = new Set(pairs.map(([old]) => old)).size
  return Array.from(found.values(), ({ change, of }) =>
    of.size === all
      ? change
      : { ...change, message: `${change.message}, to calls with ${Array.from(of, describeSignature).join(' and ')}` },
  )
}

function compareResults(
  { name }: ApiMethod,
  old: SignatureTypes,
  now: SignatureTypes,
  compare: Compare,
  xml: boolean,
): Change[] {
  const path = `${name}()`
  if (old.result && now.result) return compare(old.result, now.result, { side: 'result', method: name, path, xml })
  if (old.result) {
    const said = { message: 'the method became a notification: nothing is answered', old: describeType(old.result) }
    return [changeOf('result-removed', name, path, said)]
  }
  if (!now.result) return []
  const said = { message: 'the method was a notification, and answers now', new: describeType(now.result) }
  return [changeOf('result-added', name, path, said)]
}

/** What is said of a method beside its types, of which `told` says what has changed. */
function compareRest(old: ApiMethod, now: ApiMethod, documented: boolean, told: readonly Change[] = []): Change[] {
  const say = (code: ChangeCode, said: Said) => changeOf(code, old.name, old.name, said)
  const protocols = compareLists(old.protocols, now.protocols)
  const errors = compareLists([...old.errors.keys()], [...now.errors.keys()])
  return [
    ...protocols.lost.map((each) => say('protocol-removed', { message: `${each} can no longer call it`, old: each })),
    ...protocols.gained.map((each) => say('protocol-added', { message: `${each} can call it too`, new: each })),
    ...compareSignatures(old, now, told),
    ...compareStructures(old, now),
    ...(old.idempotent && !now.idempotent
      ? [say('idempotent-removed', { message: 'a call whose answer got lost may no longer be sent again' })]
      : []),
    ...(!old.idempotent && now.idempotent
      ? [say('idempotent-added', { message: 'a call whose answer got lost may be sent again' })]
      : []),
    ...errors.lost.map((code) =>
      say('error-removed', { message: `error ${code} is no longer announced`, old: `${code}` }),
    ),
    ...errors.gained.map((code) => say('error-added', { message: `error ${code} is announced`, new: `${code}` })),
    ...(documented ? compareDocs(old, now) : []),
  ]
}

function compareStructures({ name, structure: old }: ApiMethod, { structure: now }: ApiMethod): Change[] {
  if (old === now) return []
  const code = now === 'either' ? 'param-structure-widened' : 'param-structure-narrowed'
  const words = { 'by-name': 'by name', 'by-position': 'by position', either: 'by name or by position' }
  const message = `params are taken ${words[now]}, and were ${words[old]}`
  return [changeOf(code, name, name, { message, old, new: now })]
}

function compareDocs(old: ApiMethod, now: ApiMethod): Change[] {
  const say = (code: ChangeCode, message: string) => changeOf(code, old.name, old.name, { message })
  const changed = [...old.docs]
    .filter(([about, text]) => (now.docs.get(about) ?? text) !== text)
    .map(([about]) => about)
  return [
    ...(now.deprecated && !old.deprecated ? [say('deprecated', 'the method is deprecated')] : []),
    ...(old.deprecated && !now.deprecated ? [say('undeprecated', 'the method is no longer deprecated')] : []),
    ...(changed.length > 0 ? [say('docs-changed', `other words for ${changed.join(', ')}`)] : []),
  ]
}

function compareLists<Value>(old: readonly Value[], now: readonly Value[]) {
  return { lost: old.filter((each) => !now.includes(each)), gained: now.filter((each) => !old.includes(each)) }
}
