/**
 * Rejects an endpoint that the page cannot call: it has to be a path or an http(s) URL, relative to the page. Throws a TypeError
 * that contains the value.
 */
export function checkEndpoint(endpoint: unknown): void {
  if (typeof endpoint === 'string' && isCallable(endpoint)) return
  const given = typeof endpoint === 'string' ? JSON.stringify(endpoint) : endpoint === null ? 'null' : typeof endpoint
  throw new TypeError(`endpoint is a path or an http(s) URL, relative to the page and without a password, not ${given}`)
}

/** Any base will do: whether a path is valid does not depend on it. */
const page = 'https://localhost/docs'

function isCallable(endpoint: string): boolean {
  if (!URL.canParse(endpoint, page)) return false
  const { protocol, username, password } = new URL(endpoint, page)
  // fetch rejects an address with credentials.
  return /^https?:$/.test(protocol) && username === '' && password === ''
}
