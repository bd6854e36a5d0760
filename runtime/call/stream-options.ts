import { optionsIn, shortText } from './options.js'

/** Responses that are streams of server-sent events. */
export interface StreamOptions {
  /**
   * Milliseconds between comments that are sent while there is no item, so that proxies do not end the connection, and a client that has gone is
   * noticed. A client that reads nothing for four of them is disconnected. 0 for none. Default 15,000.
   */
  readonly heartbeatMs: number
  /**
   * Milliseconds after which the predicates of a running stream are called again; if none authorises its caller any more, it ends with the error
   * -32098. 0 for never. Default 60,000.
   */
  readonly reauthorizeMs: number
  /** Streams of the server at once; a further one is rejected with -32600 and the status 503. Default 1000. */
  readonly streams: number
  /** Items of a stream; with a further one it ends with -32097. Default: no limit. */
  readonly events: number
  /** Bytes of a stream; an event that exceeds them is not sent, and it ends with -32097. Default: no limit but `responseBytes` for each item. */
  readonly bytes: number
  /** Milliseconds that a stream may take; then it ends with -32096. 0 for no limit. Default 0. */
  readonly durationMs: number
}

export const defaultStreamOptions: StreamOptions = {
  heartbeatMs: 15_000,
  reauthorizeMs: 60_000,
  streams: 1000,
  events: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  durationMs: 0,
}

/**
 * Returns the same options.
 *
 * @throws TypeError for options that are not an object, and one that does not exist
 * @throws RangeError for one that is not a number, negative or larger than what works
 */
export function checkStreamOptions(options: Partial<StreamOptions> = {}): Partial<StreamOptions> {
  optionsIn<Partial<StreamOptions>>([options], 'RpcServer: streams', defaultStreamOptions as never)
  for (const [name, value] of Object.entries(options)) {
    const isTime = name.endsWith('Ms')
    if (value === undefined) continue
    if (typeof value === 'number' && (isTime ? value >= 0 && value < 2 ** 31 : value > 0)) continue
    const expected = `${isTime ? '0 or ' : ''}a positive number${isTime ? ' below 2^31' : ''}`
    throw new RangeError(`RpcServer: streams.${name} is ${shortText(value)}, expected ${expected}`)
  }
  return options
}
