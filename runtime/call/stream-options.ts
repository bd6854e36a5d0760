import { interval, type OptionTable, positive } from './options.js'

/** Responses that are streams of server-sent events. */
export interface StreamOptions {
  /**
   * Milliseconds between comments that are sent while there is no item, so that proxies do not end the connection, and a client that has gone is
   * noticed. A client that reads nothing for twenty of them is disconnected. 0 for none. Default 15,000.
   */
  readonly heartbeatMs: number
  /**
   * Milliseconds after which the predicates of a running stream are called again; if they do not authorise its caller any more, it ends with
   * the error -32098, or -32099 if a later rule of `{ all }` rejects the caller. 0 for never. Default 60,000.
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

/** A row for each option of streams. */
export const streamTable: OptionTable<StreamOptions> = {
  heartbeatMs: interval(15_000),
  reauthorizeMs: interval(60_000),
  streams: positive(1000),
  events: positive(Number.POSITIVE_INFINITY),
  bytes: positive(Number.POSITIVE_INFINITY),
  durationMs: interval(0),
}
