// The notation of the JSON-RPC cases.
import { error } from '../judge-json.mjs'

export const json = { 'Content-Type': 'application/json' }

export const invalid = error(-32600, null)

export const unparsable = error(-32700, null)

export function group(name, cases) {
  return cases.map(([kind, what, body, judge, more]) => ({
    protocol: 'JSON-RPC',
    group: name,
    kind,
    what,
    send: { headers: json, body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) },
    judge,
    ...more,
  }))
}

export const call = (method, params, id = 1) => ({
  jsonrpc: '2.0',
  method,
  ...(params === undefined ? {} : { params }),
  id,
})

export const echo = (value, id) => call('echo.any', [value], id)

export const raw = (params, id = '1') => `{"jsonrpc":"2.0","method":"echo.any","params":${params},"id":${id}}`

export const notify = (method, params) => ({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })
