import type { ApiMethod } from './api.js'
import { type Change, changeOf } from './change.js'

/** Whether XML-RPC can call both versions, and what they say of themselves is what it carries. */
export function isXmlCallable(old: ApiMethod, now: ApiMethod): boolean {
  return [old, now].every((each) => callableByXml(each) && each.signatures !== undefined)
}

/** Whether both versions name the same type of scalar for their result, whatever their schemas look like. */
export function hasSameResult({ signatures: old = [] }: ApiMethod, { signatures: now = [] }: ApiMethod): boolean {
  const names = new Set([...old, ...now].map(([result = '']) => result))
  return names.size === 1 && !['undef', 'array', 'struct'].some((each) => names.has(each))
}

/**
 * What has changed for clients of XML-RPC as the signatures have it, in which a result carries its type: `<int>` is not
 * `<double>`. `told` is what was said of its place already.
 */
export function compareSignatures(old: ApiMethod, now: ApiMethod, told: readonly Change[]): Change[] {
  const { name } = old
  if (!old.signatures || !callableByXml(old) || !callableByXml(now)) return []
  if (!now.signatures) {
    const message = 'xml-rpc can no longer call it: a type of it has no form there'
    return [changeOf('protocol-removed', name, name, { message, old: 'xml-rpc' })]
  }
  const changed = resultsOf(old.signatures, now.signatures)
  if (!changed || told.some(({ breaking, path }) => breaking && path === `${name}()`)) return []
  const [one, other] = changed
  // A type that is one of several is judged by the types themselves.
  if (one.includes('undef') || other.includes('undef')) return []
  const message = `an XML-RPC client gets ${other} where it got ${one}`
  // Whether callers of JSON-RPC go on as before, nothing says of overloads without results.
  const isTold = [old, now].every(({ overloads = [] }) => overloads.every(({ result }) => result))
  const code = isTold ? 'signature-changed' : 'result-type-changed'
  return [changeOf(code, name, `${name}()`, { message, old: one, new: other })]
}

function callableByXml({ protocols }: ApiMethod): boolean {
  return protocols.includes('xml-rpc')
}

type Signatures = readonly (readonly string[])[]

/** The result of the first call that has another one; where no signature stayed, all results together. */
function resultsOf(old: Signatures, now: Signatures): readonly [string, string] | undefined {
  const byParams = new Map(now.map(([result = '', ...params]) => [params.join(), result]))
  const same = old.flatMap(([result = '', ...params]) => {
    const other = byParams.get(params.join())
    return other === undefined ? [] : [[result, other] as const]
  })
  if (same.length > 0) return same.find(([one, other]) => one !== other)
  const all = (signatures: Signatures) => [...new Set(signatures.map(([result = '']) => result))].sort().join(' or ')
  const [one, other] = [all(old), all(now)]
  return one === other ? undefined : [one, other]
}
