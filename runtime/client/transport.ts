import type { Awaitable } from '../call/maybe-async.js'
import type { TransportResponse } from './response.js'
import type { SubscribeOptions, SubscribingClient } from './subscriptions.js'
import type { RpcParams, RpcRequest } from './types.js'

/** A call on its way. */
export interface RpcCall {
  /** From 1 on; undefined for a notification, which has no response. */
  readonly id: number | undefined
  readonly method: string
  readonly params: RpcParams
}

/** The settings of a client that a transport needs. */
export interface SendSettings {
  readonly url: string
  /** What `new Headers` accepts, and functions that return it. */
  readonly headers: readonly unknown[]
  readonly maxResponseBytes: number
  /** Milliseconds that the request may take; 0 for no limit. */
  readonly timeoutMs: number
}

/** A protocol of a client, over HTTP POST if it has no `exchange`. */
export interface Transport {
  readonly contentType: string
  /** True if it represents Date, Uint8Array and bigint directly. */
  readonly native: boolean
  /** Encodes a call, before it is known whether it is sent alone. Throws for values that cannot be serialised. */
  write(call: RpcCall): unknown
  /** The body of a request: one written call, or a batch. */
  join(written: readonly unknown[], batch: boolean): string
  /**
   * The result of each call, in their order; an Error for a call that failed. Throws if the response as a whole is
   * none.
   */
  read(response: TransportResponse, calls: readonly RpcCall[], batch: boolean): Awaitable<readonly unknown[]>
  /** Sends a body in another way than by HTTP, and returns the response. An error that is not a TypeError may be over soon. */
  exchange?(
    body: string,
    calls: readonly RpcCall[],
    settings: SendSettings,
    signal: AbortSignal,
  ): Promise<TransportResponse>
  /** Subscribes by a call of a client. Absent if the protocol has no notifications. */
  subscribe?(client: SubscribingClient, request: RpcRequest, options: SubscribeOptions): AsyncIterableIterator<unknown>
}
