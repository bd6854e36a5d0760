import { parseUrl } from '../values/url.js'

/** The ports that browsers leave out. */
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * True if a host, as the header `Host` has it, is that of a URL. The default port of the URL's scheme may be left out.
 *
 * @example isHostOf(new URL('https://a.example'), 'a.example:443') === true
 */
export function isHostOf({ protocol, host, hostname, port }: URL, sent: string): boolean {
  const defaultPort = port === '' ? defaultPorts[protocol] : undefined
  const text = sent.toLowerCase()
  return text === host || (defaultPort !== undefined && text === `${hostname}:${defaultPort}`)
}

/**
 * Parses the origin of a page (RFC 6454), such as `https://a.example:8443`. Returns undefined for other texts, such as `null`, another
 * scheme, or what a URL has beside its host.
 */
export function parseOrigin(text: string): URL | undefined {
  const url = parseUrl(text)
  return url && isHostOf(url, text.replace(/^https?:\/\//i, '')) ? url : undefined
}
