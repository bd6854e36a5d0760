import { decodeBase64 } from './base64.js'

/** What a client sent with the Basic scheme (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/**
 * The user name and password of `Authorization: Basic …`, read as UTF-8; undefined without the header or when it is
 * malformed. They are what the client says: compare them with `constantTimeEqual`.
 */
export function basicAuth(request: Request): BasicCredentials | undefined {
  const text = decodeBase64Text(credentialsOf(request, 'basic'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The token of `Authorization: Bearer …` (RFC 6750); undefined without the header or when it is malformed. */
export function bearerToken(request: Request): string | undefined {
  const token = credentialsOf(request, 'bearer')
  return token !== undefined && /^[\w.~+/-]+=*$/.test(token) ? token : undefined
}

/** The scheme's name does not mind case (RFC 9110 section 11.1). */
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
 * Compares two strings in a time that depends on their lengths only, by way of their SHA-256 digests, so that nobody can
 * feel their way to a secret.
 */
export async function constantTimeEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(one), digest(other)])
  return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), 0) === 0
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
