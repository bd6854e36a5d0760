// What the headers of a request specify: the protocol and the compression of its body, and if its response may be a stream of events.
import type { Settings } from '../options.js'
import { type ProtocolName, protocolTable } from '../protocols.js'
import type { Compression } from './decompress.js'
import { HttpError, type RequestHead, shorten } from './message.js'

const protocols = Object.keys(protocolTable) as ProtocolName[]

const protocolByType: ReadonlyMap<string, ProtocolName> = new Map(
  protocols.flatMap((protocol) => protocolTable[protocol].types.map((type) => [type, protocol] as const)),
)

/**
 * The protocol of a Content-Type; parameters and case do not matter. `text/plain` and form types have no protocol,
 * so that a browser form, which is sent across sites without asking, can never call.
 */
export function negotiate(contentType: string | undefined): ProtocolName | undefined {
  if (contentType === undefined) return undefined
  // Mostly the header is the bare type: looked up whole, a small call costs 4 % less.
  return protocolByType.get(contentType) ?? protocolByType.get(essenceOf(contentType))
}

function essenceOf(contentType: string): string {
  const [essence = ''] = contentType.split(';', 1)
  return essence.trim().toLowerCase()
}

const formAndText = ['application/x-www-form-urlencoded', 'text/plain']

/** True if the body decides the protocol where the Content-Type does not: never for a request that a browser could have sent across sites. */
export function maySniff(request: RequestHead, { sniffContentType, compatibility }: Settings): boolean {
  const contentType = request.header('content-type')
  if (contentType === undefined) return sniffContentType && !hasAny(request, browserHeaders)
  if (!compatibility.formAndTextBodies || !formAndText.includes(essenceOf(contentType))) return false
  // A browser that is too old for the other headers sends a form with this one.
  return !hasAny(request, [...browserHeaders, 'referer'])
}

const browserHeaders = ['origin', 'sec-fetch-site', 'cookie']

function hasAny(request: RequestHead, names: readonly string[]): boolean {
  return names.some((name) => request.header(name) !== undefined)
}

/** The protocol of a body by its first character, after white space and a byte order mark. */
export function sniff(body: Uint8Array): ProtocolName | undefined {
  const first = body.find((byte) => byte > 0x20 && byte < 0x80)
  if (first === undefined) return undefined
  return protocols.find((protocol) => protocolTable[protocol].start.includes(String.fromCharCode(first)))
}

/** The media type of server-sent events (WHATWG HTML section 9.2). */
export const eventsType = 'text/event-stream'

/** True if an `Accept` names server-sent events: a wildcard, which many clients send, does not. */
export function acceptsEvents(accept: string | undefined): boolean {
  return (accept?.split(',') ?? []).some(
    (range) => essenceOf(range) === eventsType && !/;\s*q=0(?:\.0*)?\s*$/i.test(range),
  )
}

/** The supported content codings, as Accept-Encoding lists them. */
const acceptedEncodings = 'gzip, deflate'

const compressions: ReadonlyMap<string, Compression | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/**
 * Returns the compression that the Content-Encoding of a request names, undefined for none.
 *
 * @throws HttpError (415) for any other, lists included, with Accept-Encoding (RFC 9110 section 15.5.16)
 */
export function compressionOf(request: RequestHead): Compression | undefined {
  const contentEncoding = request.header('content-encoding')
  if (contentEncoding === undefined) return undefined
  const name = contentEncoding.trim().toLowerCase()
  if (compressions.has(name)) return compressions.get(name)
  const wanted = acceptedEncodings.replace(',', ' or')
  throw new HttpError(
    415,
    `The Content-Encoding ${shorten(contentEncoding)} is not supported: send ${wanted}, or none.`,
    {
      'Accept-Encoding': acceptedEncodings,
    },
  )
}
