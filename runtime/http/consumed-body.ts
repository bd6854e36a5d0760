import type { Context } from 'hono'
import { RpcInvalidRequest } from '../error.js'
import type { ProtocolName } from '../protocol.js'
import { readBody } from './body.js'

/** What middleware has kept of a body that it has read; it is decompressed already. */
export interface KeptBody {
  readonly bytes: Uint8Array
  /** True if the bytes were made from a text, in which bytes that are not UTF-8 may have been replaced. */
  readonly wasText: boolean
  /** True if middleware has decoded the body by the charset of its Content-Type. */
  readonly isDecoded: boolean
}

/** Middleware has read the body and kept nothing of it: a mistake in the setup of a server. */
export class BodyConsumedError extends Error {
  override readonly name = 'BodyConsumedError'

  constructor(options?: ErrorOptions) {
    super(
      'the request body was read by middleware in front of the RPC endpoint, which kept nothing that can be used: ' +
        'mount the endpoint before the body parser, or keep the bytes in req.rawBody, for instance with ' +
        'express.json({ verify: (req, res, bytes) => { req.rawBody = bytes } })',
      options,
    )
  }
}

/** What is read of Node's IncomingMessage, which @hono/node-server has in `c.env.incoming`, and what middleware adds to it. */
interface Incoming {
  readonly readableDidRead?: unknown
  /** The bytes, or their text, by the convention of body parsers and serverless hosts. */
  readonly rawBody?: unknown
  /** What a body parser made: the value of JSON, a text or bytes. */
  readonly body?: unknown
}

const encoder = new TextEncoder()

/**
 * Returns the body that middleware has read, from what it kept: `rawBody` (bytes or text) if there is one, otherwise the
 * `body` of a parser (bytes, text, or the value of JSON). Undefined if nobody has read it, nothing was kept, or Hono has
 * cached it; an error if the value of JSON is not a request that JSON can write.
 *
 * The value of JSON has been through `JSON.parse`: integers beyond 2^53 are rounded in it.
 */
export function keptBody(c: Context, protocol: ProtocolName | undefined): KeptBody | RpcInvalidRequest | undefined {
  const incoming = incomingOf(c)
  if (!incoming?.readableDidRead || c.req.raw.bodyUsed || isCached(c)) return undefined
  const { rawBody, body } = incoming
  if (rawBody instanceof Uint8Array) return { bytes: rawBody, wasText: false, isDecoded: false }
  if (typeof rawBody === 'string') return { bytes: encoder.encode(rawBody), wasText: true, isDecoded: false }
  if (body instanceof Uint8Array) return { bytes: body, wasText: false, isDecoded: false }
  if (typeof body === 'string') return { bytes: encoder.encode(body), wasText: true, isDecoded: true }
  if (body === undefined || protocol !== 'json-rpc') return undefined
  try {
    return { bytes: encoder.encode(JSON.stringify(body, refuseInfinite)), wasText: false, isDecoded: true }
  } catch (cause) {
    return new RpcInvalidRequest('Invalid Request: nested too deeply, or a number beyond the range of a double', {
      cause,
    })
  }
}

/** JSON has no Infinity: it was a number such as `1e999`, and would become null. */
function refuseInfinite(_name: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new RangeError(`${value}`)
  return value
}

/** Reads a body as `readBody` does. @throws BodyConsumedError if middleware has read it before */
export function readUnlessConsumed(c: Context, limit: number): ReturnType<typeof readBody> {
  const isSuspect = !isCached(c) && (c.req.raw.bodyUsed || incomingOf(c)?.readableDidRead)
  const body = readBody(c, limit)
  if (!isSuspect) return body
  // Some of Hono's middleware replaces the request by one whose body can be read.
  const isEmpty = (read: Awaited<typeof body>) => typeof read !== 'string' && read.byteLength === 0
  const explain = (cause: unknown) => (cause instanceof TypeError ? new BodyConsumedError({ cause }) : cause)
  return body.then(
    (read) => (isEmpty(read) ? Promise.reject(new BodyConsumedError()) : read),
    (error) => Promise.reject(explain(error)),
  )
}

/** True if Hono has the body: after `c.req.json()` and its like. */
function isCached({ req }: Context): boolean {
  return Object.keys(req.bodyCache).length > 0
}

function incomingOf({ env }: Context): Incoming | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Incoming | null }
  return typeof incoming === 'object' && incoming !== null ? incoming : undefined
}
