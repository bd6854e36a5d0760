// Parsing a URL takes quadratic time for an international host name, so that its length is limited before.

/** The maximum length of a URL as it is sent, and as it is printed (`href`), in UTF-16 code units. */
export const MAX_URL_LENGTH = 8192

/** The maximum length of its host, with user information and port. A name in the DNS has 253 characters. */
export const MAX_HOST_LENGTH = 1024

/**
 * The part of a URL that may contain a host name: in these schemes, `\` is a `/`, and any number of them, or none, may be before the
 * host. Other schemes have opaque hosts, which are not normalised; `blob:` contains another URL.
 */
const hostPart = /^[\0-\x20]*(?:blob:)?(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i

/** True if a text has the length of a URL, and its host that of a host. */
function hasUrlLength(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && hasHostLength(text)
}

/** True if the host of a text has the length of a host, or if the text has no host. */
export function hasHostLength(text: string): boolean {
  if (text.length <= MAX_HOST_LENGTH) return true
  // The parser ignores tabs and line breaks everywhere.
  const [, host = ''] = hostPart.exec(/[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]/g, '') : text) ?? []
  return host.length <= MAX_HOST_LENGTH
}

/** Parses a URL. Returns undefined for other texts, and for a URL that is too long as it is sent or printed. */
export function parseUrl(text: string): URL | undefined {
  const url = hasUrlLength(text) ? withoutException(text) : null
  return url && hasUrlLength(url.href) ? url : undefined
}

/** An exception takes microseconds, and a union may compare millions of texts. Engines of before 2024 have no `URL.parse`. */
function withoutException(text: string): URL | null {
  if (typeof URL.parse === 'function') return URL.parse(text)
  return URL.canParse(text) ? new URL(text) : null
}

/** True for a URL that can be sent: `parseUrl` accepts its text. */
export function isSendableUrl(value: unknown): value is URL {
  return value instanceof URL && hasUrlLength(value.href)
}

/** True for a URL that is rejected only because it, or what is printed of it, is too long. */
export function isUrlTooLong(value: unknown): boolean {
  const text = value instanceof URL ? value.href : value
  return typeof text === 'string' && (!hasUrlLength(text) || (URL.canParse(text) && !parseUrl(text)))
}
