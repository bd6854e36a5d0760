import type { Call, Misshapen } from '../call.js'
import { RpcInvalidParams } from '../error.js'
import { memberPath } from '../path.js'

/**
 * Refuses a call with a number such as `1e999` in its params, whatever the procedure declares: JSON.parse makes it
 * Infinity, and numbers are finite. The error comes when `params` is read, so that an unknown method and a caller
 * without leave are told so first.
 */
export function refuseInfinite(entry: Call | Misshapen): Call | Misshapen {
  if ('error' in entry) return entry
  const path = findInfinite(entry.params, Array.isArray(entry.params) ? 'params' : '')
  if (path === undefined) return entry
  const expected = 'finite number'
  const received = 'a number too large'
  const error = new RpcInvalidParams(`Invalid params: ${path}: expected ${expected}, received ${received}`, {
    data: [{ path, expected, received }],
  })
  return Object.defineProperty({ ...entry }, 'params', { get: () => raise(error) })
}

function raise(error: Error): never {
  throw error
}

/** The path of the first number that is not finite. */
function findInfinite(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  const list = Array.isArray(value)
  for (const [name, each] of Object.entries(value)) {
    const found = findInfinite(each, '')
    if (found !== undefined) return joined(list ? `${path}[${name}]` : memberPath(path, name), found)
  }
  return undefined
}

function joined(path: string, rest: string): string {
  return rest === '' || rest.startsWith('[') ? path + rest : `${path}.${rest}`
}
