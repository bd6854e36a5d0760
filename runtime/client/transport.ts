import type { Awaitable } from '../call/maybe-async.js'
import type { TransportResponse } from './errors.js'
import type { SubscribeOptions, SubscribingClient } from './subscriptions.js'
import type { RpcParams, RpcRequest } from './types.js'

/** A call as a transport sends it. */
export interface RpcCall {
  /** From 1 on; undefined for a notification, which has no response. */
  readonly id: number | undefined
  readonly method: string
  readonly params: RpcParams
}

/** Deviations of servers from JSON-RPC 2.0 that a client accepts. */
export interface ClientCompatibility {
  /**
   * Accepts responses of JSON-RPC 1.0 and 1.1: without `jsonrpc`, with `error: null` beside a result or `result: null` beside an
   * error, also if they declare 2.0. An error that is not an object with `code` and `message` has the code -32000, and is the `data`
   * of the RpcError. Requests stay those of 2.0. Default false.
   */
  readonly jsonRpc1?: boolean
}

/** The settings of a client that a transport needs. */
export interface SendSettings {
  readonly url: string
  /** What `new Headers` accepts, and functions that return it. */
  readonly headers: readonly unknown[]
  readonly maxResponseBytes: number
  /** Milliseconds that the request may take; 0 for no limit. */
  readonly timeoutMs: number
  /** Deviations of servers that are accepted. */
  readonly compatibility?: ClientCompatibility | undefined
}

/** A protocol of a client, over HTTP POST if it has no `exchange`. */
export interface Transport {
  readonly contentType: string
  /** True if it represents Date, Uint8Array and bigint directly. */
  readonly native: boolean
  /**
   * Encodes a call, before it is known whether it is sent alone.
   *
   * @throws TypeError for a value that cannot be serialised
   */
  write(call: RpcCall): unknown
  /** Returns the body of a request: one encoded call, or a batch. */
  join(written: readonly unknown[], batch: boolean): string
  /**
   * Returns the result of each call in order, with an Error for a call that failed.
   *
   * @throws RpcTransportError if the response is not one of the protocol
   */
  read(
    response: TransportResponse,
    calls: readonly RpcCall[],
    batch: boolean,
    settings: SendSettings,
  ): Awaitable<readonly unknown[]>
  /** Sends a body and resolves to the response. After an error that is not a TypeError, an idempotent call may be sent again. Default: `fetch`. */
  exchange?(
    body: string,
    calls: readonly RpcCall[],
    settings: SendSettings,
    signal: AbortSignal,
  ): Promise<TransportResponse>
  /** Called when a call has ended, also before its response has arrived. Default: nothing. */
  end?(call: RpcCall): void
  /** Subscribes by a call of a client. Absent if the protocol has no notifications. */
  subscribe?(client: SubscribingClient, request: RpcRequest, options: SubscribeOptions): AsyncIterableIterator<unknown>
}
