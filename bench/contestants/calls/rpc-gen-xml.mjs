// rpc-gen in a Hono app, called in XML-RPC: only `add`, which the page compares with the same call as JSON.
import { callOf } from '../../work/documents.mjs'
import { readXml } from '../../work/read-xml.mjs'

export { start } from './rpc-gen.mjs'

export function request({ batch, calls: [{ method, params }] }) {
  if (batch || method !== 'add') return undefined
  return { path: '/rpc', body: callOf(method, params), headers: { 'content-type': 'text/xml' } }
}

export const results = (text) => readXml(text).params
