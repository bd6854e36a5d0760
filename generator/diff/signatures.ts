import type { ApiMethod } from './api.js'
import { type Change, changeOf } from './change.js'

/**
 * What has changed for clients of XML-RPC, in which a result carries its type: `<int>` is not `<double>`. What is taken is
 * told by the params.
 */
export function compareSignatures(old: ApiMethod, now: ApiMethod): Change[] {
  const { name } = old
  if (!old.signatures || !callableByXml(old) || !callableByXml(now)) return []
  if (!now.signatures) {
    const message = 'xml-rpc can no longer call it: a type of it has no form there'
    return [changeOf('protocol-removed', name, name, { message, old: 'xml-rpc' })]
  }
  const changed = resultsOf(old.signatures, now.signatures)
  if (!changed) return []
  const [one, other] = changed
  // A type that is one of several is judged by the types themselves.
  if (one.includes('undef') || other.includes('undef')) return []
  const message = `an XML-RPC client gets ${other} where it got ${one}`
  return [changeOf('signature-changed', name, `${name}()`, { message, old: one, new: other })]
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
