import { isPromise } from '../call/maybe-async.js'
import { RpcInvalidRequest, RpcParseError } from '../error.js'
import type { ProtocolName } from '../protocols.js'
import { type Body, type BodyOptions, checkLength } from './message.js'
import type { ParsedMessage } from './node-requests.js'

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

const encoder = /* @__PURE__ */ new TextEncoder()

/**
 * Returns the body that middleware has read, from the members that it set: `rawBody` (bytes or text) if there is one, otherwise the
 * `body` of a parser (bytes, text, or the value of JSON); undefined if nothing was kept. A parser decompresses.
 *
 * The value of JSON has been through `JSON.parse`: integers beyond 2^53 are rounded in it.
 *
 * @throws HttpError (413) if it is larger than the limit; RpcParseError if the host cannot parse it; RpcInvalidRequest if the parsed
 * value cannot be written as JSON
 */
export function parsedBody(message: ParsedMessage, { limit, protocol }: BodyOptions): Body | undefined {
  const { kept, isRaw } = keptBody(message, protocol)
  if (kept instanceof Uint8Array) return { bytes: checkLength(kept, limit), isDecompressed: true }
  if (typeof kept === 'string') {
    const bytes = checkLength(encoder.encode(kept), limit)
    return { bytes, wasText: true, isDecompressed: true, isDecoded: !isRaw }
  }
  if (kept === undefined || protocol !== 'json-rpc') return undefined
  return { bytes: checkLength(encoder.encode(writeJson(kept)), limit), isDecompressed: true, isDecoded: true }
}

/** The bytes or the text of a body, or what a parser made of it; undefined if nothing was kept. */
interface KeptBody {
  readonly kept?: unknown
  readonly isRaw?: boolean
}

/** What a host cannot read or parse is malformed; a type that it does not know is not. */
function keptBody(message: ParsedMessage, protocol: ProtocolName | undefined): KeptBody {
  try {
    const { rawBody } = message
    if (rawBody instanceof Uint8Array || typeof rawBody === 'string') return { kept: rawBody, isRaw: true }
    const kept = message.body
    // A promise is what some host has not read yet. Without a handler, its rejection would end the process.
    if (isPromise(kept)) Promise.resolve(kept).catch(() => {})
    return isPromise(kept) ? {} : { kept }
  } catch (cause) {
    if (protocol) throw new RpcParseError(undefined, { cause })
    return {}
  }
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value, rejectInfinite)
  } catch (cause) {
    throw new RpcInvalidRequest('Invalid Request: nested too deeply, or a number beyond the range of a double', {
      cause,
    })
  }
}

/** JSON has no Infinity: it was a number such as `1e999`, and would become null. A client, which loads nothing of the server, has the same. */
function rejectInfinite(_name: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw new RangeError(`${value}`)
  return value
}
