import { request } from 'node:http'

/** How many milliseconds a server may take to respond. */
const patience = 10_000

/**
 * Sends a case and resolves to `{ status, headers, text, bytes }`, or to `{ silent: why }` without a response.
 * @param url the address of the server
 * @param send `{ body, method, headers }`; the headers besides Content-Length
 */
export function sendRequest(url, { body, method = 'POST', headers }) {
  const bytes = Buffer.from(body)
  return new Promise((resolve) => {
    const options = { method, agent: false, headers: { ...headers, 'Content-Length': bytes.length } }
    const sent = request(url, options, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part))
      response.once('error', () => resolve({ silent: 'the response broke off' }))
      response.once('end', () => {
        const bytes = Buffer.concat(parts)
        resolve({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    sent.setTimeout(patience, () => sent.destroy(new Error(`no response within ${patience / 1000} s`)))
    sent.once('error', ({ code, message }) =>
      resolve({ silent: code === 'ECONNRESET' ? 'the connection broke off without a response' : message }),
    )
    sent.end(bytes)
  })
}
