import type { Origin } from '../call/scope.js'
import type { ProtocolName } from '../protocols.js'
import { MAX_NAME, truncate } from '../values/describe.js'
import type { NodeHost } from './node-requests.js'

/** The body of a request, and how it was processed before. */
export interface Body {
  readonly bytes: Uint8Array
  /** True if the bytes were made from a text, in which bytes that are not UTF-8 may have been replaced. Default false. */
  readonly wasText?: boolean
  /** True if its Content-Encoding has been decoded. Default false. */
  readonly isDecompressed?: boolean
  /** True if the charset of its Content-Type has been decoded. Default false. */
  readonly isDecoded?: boolean
}

/** An HTTP request without its body, as an entry point provides it. */
export interface RequestHead extends Origin {
  readonly method: string
  /** The request and the response of Node, if the host has passed them. */
  readonly node: NodeHost
  /** Absolute. */
  readonly url: string
  /** Returns the value of a header, whose name is in lower case; undefined if it is absent. */
  header(name: string): string | undefined
  /** The nonce of the Content-Security-Policy that middleware sends. */
  readonly nonce: string | undefined
}

/** What a host has to know to read the body of a request. */
export interface BodyOptions {
  /** The most bytes, decompressed too. */
  readonly limit: number
  /** The protocol of the Content-Type; undefined if it has none. */
  readonly protocol: ProtocolName | undefined
}

/** An HTTP request whose body can be read. */
export interface HttpRequest extends RequestHead {
  /**
   * Reads the body from where the host has it, and calls one of the two functions, once. It is called once. Functions instead of a promise: on
   * Node, a small call takes 3 % less.
   *
   * @throws and calls `onError` with HttpError if it is larger (413) or the client disconnected before the end (400), BodyConsumedError if
   * middleware has read it, RpcInvalidRequest or RpcParseError if what a parser made of it is not a request
   */
  receiveBody(options: BodyOptions, onBody: (body: Body) => void, onError: (error: unknown) => void): void
}

/** The response to a request, for its entry point to send. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly text: string | null
  /** The body of a response that has no text: server-sent events. */
  readonly stream?: ReadableStream<Uint8Array>
  /** True if `Accept` is added to the `Vary` header, which others may have set. Default false. */
  readonly variesByAccept?: boolean
}

/** A request that HTTP rejects: a status and a text for the developer of the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Browsers do not look for another type in a text, which may repeat what the client sent. */
const plainHeaders = { 'Content-Type': 'text/plain; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' }

/** Returns a response in plain text. */
export function plainText(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, text, headers: { ...plainHeaders, ...headers } }
}

/** Returns the value of a header for an error. */
export function shorten(value: string | undefined): string {
  return value === undefined ? '(none)' : truncate(value, MAX_NAME)
}

/** Returns the error for a body that is larger than the limit: 413. */
export function tooLarge(limit: number, headers: Readonly<Record<string, string>> = {}): HttpError {
  return new HttpError(413, `The body is larger than ${limit} bytes.`, headers)
}

/** Returns the error for a body whose sender disconnected before its end: 400. */
export function cutOff(): HttpError {
  return new HttpError(400, 'The body ended early.')
}

/** Returns the same bytes. @throws HttpError (413) if there are more than `limit` */
export function checkLength<T extends Uint8Array>(bytes: T, limit: number): T {
  if (bytes.byteLength > limit) throw tooLarge(limit)
  return bytes
}
