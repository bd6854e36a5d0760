import { decodeBase64 } from '../values/bytes.js'

/** The credentials of the Basic scheme (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/**
 * Returns the user name and password of `Authorization: Basic …` (RFC 7617), decoded as UTF-8; undefined if the header is missing or
 * malformed. They are not verified: compare them with `constantTimeEqual`.
 */
export function extractBasicAuth(request: Request): BasicCredentials | undefined {
  const text = decodeBase64Text(credentialsOf(request, 'basic'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750); undefined if the header is missing or malformed. */
export function extractBearerToken(request: Request): string | undefined {
  const token = credentialsOf(request, 'bearer')
  return token !== undefined && /^[\w.~+/-]+=*$/.test(token) ? token : undefined
}

/** The name of the scheme is case-insensitive (RFC 9110 section 11.1). */
function credentialsOf(request: Request, scheme: string): string | undefined {
  const header = request.headers.get('authorization') ?? ''
  const [name = '', ...rest] = header.split(' ')
  return name.toLowerCase() === scheme ? rest.join(' ').trim() : undefined
}

function decodeBase64Text(encoded: string | undefined): string | undefined {
  const bytes = encoded === undefined ? undefined : decodeBase64(encoded)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * True if the text that a caller sent equals the secret; false if it is missing or empty. SHA-256 digests are compared, so the time
 * depends only on the lengths, which prevents timing attacks.
 *
 * @throws TypeError if the secret is missing or empty, such as an environment variable that is not set
 *
 * @example
 * const isRobot = (request: Request) => constantTimeEqual(extractBearerToken(request), process.env.ROBOT_TOKEN)
 */
export async function constantTimeEqual(
  received: string | null | undefined,
  secret: string | null | undefined,
): Promise<boolean> {
  if (typeof secret !== 'string' || secret === '') {
    const found = typeof secret === 'string' ? 'empty' : secret === null ? 'null' : typeof secret
    throw new TypeError(
      `constantTimeEqual: the secret is ${found}, expected a string with characters: is it configured?`,
    )
  }
  if (typeof received !== 'string' || received === '') return false
  const [a, b] = await Promise.all([digest(received), digest(secret)])
  return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), 0) === 0
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
