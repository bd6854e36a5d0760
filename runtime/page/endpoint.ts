/**
 * Rejects an endpoint that the page cannot call: it has to be a path or an http(s) URL, relative to the page. Throws a TypeError
 * that contains the value.
 */
export function checkEndpoint(endpoint: unknown): void {
  checkAddress('endpoint', endpoint, 'an http(s) URL', /^https?:$/)
}

/** Rejects the address of a WebSocket in the same way; browsers open one at an http(s) URL too. */
export function checkWebSocket(address: unknown): void {
  if (address !== undefined) checkAddress('webSocket', address, 'a ws(s) URL', /^(?:http|ws)s?:$/)
}

function checkAddress(name: string, address: unknown, expected: string, protocols: RegExp): void {
  if (typeof address === 'string' && isCallable(address, protocols)) return
  const given = typeof address === 'string' ? JSON.stringify(address) : address === null ? 'null' : typeof address
  throw new TypeError(`${name} is a path or ${expected}, relative to the page and without a password, not ${given}`)
}

/** Any base will do: whether a path is valid does not depend on it. */
const page = 'https://localhost/docs'

function isCallable(address: string, protocols: RegExp): boolean {
  if (!URL.canParse(address, page)) return false
  const { protocol, username, password } = new URL(address, page)
  // fetch and WebSocket reject an address with credentials.
  return protocols.test(protocol) && username === '' && password === ''
}
