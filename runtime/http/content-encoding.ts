import { HttpError, type RequestHead, shorten } from './message.js'

/** How a request body may be compressed: `deflate` is the zlib format (RFC 9110 section 8.4.1.2), not raw deflate data. */
export type Compression = 'gzip' | 'deflate'

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
