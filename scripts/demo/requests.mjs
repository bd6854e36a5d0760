/**
 * One call as a JSON-RPC body.
 *
 * @param {import('./calls.mjs').Call} call
 */
export function jsonRequest({ method, params }) {
  return JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
}

/**
 * One call as an XML-RPC body.
 *
 * @param {import('./calls.mjs').Call} call
 */
export function xmlRequest({ method, xml }) {
  const params = xml.map((value) => `<param><value>${value}</value></param>`).join('')
  return `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`
}
