import { invalidValueError } from '../../runtime/call/params.js'
import type { XmlCall } from '../../runtime/xmlrpc/decode.js'

/**
 * Returns the parameters of a call, with an error instead of each unreadable entry of a multicall.
 *
 * @throws RpcInvalidParams if a value cannot be read
 */
export function paramsOf({ params, invalidValue, invalidEntries }: XmlCall): unknown[] {
  if (invalidValue) throw invalidValueError(invalidValue, 'types')
  const [list, ...others] = params
  if (!Array.isArray(list)) return [...params]
  const entries = list.map((entry, i) => {
    const error = invalidEntries?.get(i)
    return error && 'path' in error ? invalidValueError(error, 'types') : (error ?? entry)
  })
  return [entries, ...others]
}
