// MCP over Streamable HTTP: a POST with `{"method":"tools/call","params":{"name":"add", …}}` gets the result of the tool as JSON, or as a
// stream of events. Requests of foreign pages and to foreign hosts are rejected.
import { BodyTooLarge } from '../call/body-limits.js'
import { isInstance, isRpcError } from '../error.js'
import { readBody, textReaderOf } from '../http/body.js'
import { acceptsEvents, compressionOf, negotiate } from '../http/headers.js'
import {
  type Body,
  HttpError,
  type HttpRequest,
  type HttpResponse,
  plainText,
  shorten,
  tooLarge,
} from '../http/message.js'
import { countResponse, isNodeHttp1 } from '../http/node-requests.js'
import { isHostOf, parseOrigin } from '../http/origin.js'
import { parseUrl } from '../values/url.js'
import {
  checkVersion,
  decodeMessages,
  eraOf,
  headerMismatch,
  McpError,
  type McpMessage,
  versionOf,
} from './messages.js'
import type { Access } from './options.js'
import { createBatch, errorTextOf, respondToBatch, respondToMessage, respondToRequest } from './protocol.js'
import type { Service } from './response.js'

/** Responds to an HTTP request (Streamable HTTP: one POST is one message, or a batch in 2025-03-26). */
export async function respondToMcp(request: HttpRequest, service: Service, access: Access): Promise<HttpResponse> {
  let id: string | undefined
  try {
    if (request.method !== 'POST') throw new HttpError(405, 'An MCP endpoint accepts POST only.', { Allow: 'POST' })
    checkAccess(request, access)
    const { text, bodyBytes } = await readMessage(request, service)
    const version = request.header('mcp-protocol-version')
    const message = decodeMessages(text, service.settings, version)
    if (Array.isArray(message)) {
      const batch = createBatch(service.settings, bodyBytes)
      countResponse(request.node, batch)
      const responses = await respondToBatch(message, { service, origin: request, bodyBytes, batch }, respondToMessage)
      return responses === undefined ? accepted : jsonResponse(200, responses)
    }
    countResponse(request.node)
    id = message.id
    if (message instanceof McpError) throw message
    if (id === undefined) {
      checkVersion(version)
      return accepted
    }
    const era = eraOf(message, version)
    if (era === 'modern') checkHeaders(message, request)
    const context = {
      message: { ...message, id },
      era,
      service,
      origin: request,
      bodyBytes,
      acceptsEvents: acceptsEvents(request.header('accept')),
    }
    const { text: response, failure, stream } = await respondToRequest(context)
    if (failure && isInstance(failure.cause, BodyTooLarge)) throw tooLarge(failure.cause.limit)
    return stream ? (await import('../http/events.js')).eventsResponse(stream) : jsonResponse(200, response)
  } catch (error) {
    if (error instanceof HttpError) return plainText(error.status, error.message, error.headers)
    const status = statusOf(error)
    const challenge = status === 401 ? await challengeIn(service.settings) : undefined
    return jsonResponse(status, await errorTextOf(error, id, { service, origin: request }), challenge)
  }
}

/** The response to notifications. */
const accepted: HttpResponse = { status: 202, headers: {}, text: null }

function statusOf(error: unknown): number {
  if (error instanceof McpError) return error.status
  return isRpcError(error) ? 400 : 500
}

/** The challenge to callers that may not see the tools. */
async function challengeIn({ compatibility, introspectionAuth }: Service['settings']): Promise<string> {
  return (await import('../compatibility/index.js')).challengeOf(compatibility, introspectionAuth, true) ?? 'Bearer'
}

function jsonResponse(status: number, text: string, challenge?: string): HttpResponse {
  const more = challenge && { 'WWW-Authenticate': challenge }
  return { status, text, headers: { 'Content-Type': 'application/json', ...more } }
}

/** Reads the body within its limit, decompressed. */
async function readMessage(request: HttpRequest, { settings }: Service) {
  const contentType = request.header('content-type')
  if (negotiate(contentType) !== 'json-rpc') {
    throw new HttpError(415, `Content-Type ${shorten(contentType)} is not served here: send application/json.`)
  }
  const compression = compressionOf(request)
  const reading = { limit: settings.bodyBounds.largest, protocol: 'json-rpc', compression } as const
  const body = await new Promise<Body>((resolve, reject) => readBody(request, reading, resolve, reject))
  return { text: textReaderOf(body, contentType)(), bodyBytes: body.bytes.byteLength }
}

const localHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * Rejects requests that a page in a browser may have sent to a server of the same machine or network, by the name of another
 * host (DNS rebinding) or from another origin.
 */
function checkAccess(request: HttpRequest, { allowedHosts, allowedOrigins }: Access): void {
  const host = hostOf(request)
  const hosts = allowedHosts === 'any' ? localHosts : [...localHosts, ...allowedHosts]
  if (allowedHosts !== 'any' && !(host && isHostIn(hosts, `http://${host}`))) {
    throw new HttpError(403, `The host ${shorten(host)} is not allowed: list it in the option allowedHosts of mcp().`)
  }
  const origin = request.header('origin')
  if (origin === undefined || allowedOrigins === 'any') return
  if (!allowedOrigins.includes(origin) && !isHostIn(hosts, origin)) {
    throw new HttpError(
      403,
      `The origin ${shorten(origin)} is not allowed: list it in the option allowedOrigins of mcp().`,
    )
  }
}

/**
 * Returns the host that a request was sent to. HTTP/1.0 has requests without one, for which Node's adapter makes it up; HTTP/2 has it
 * in the URL.
 */
function hostOf(request: HttpRequest): string | undefined {
  return request.header('host') ?? (isNodeHttp1(request.node) ? undefined : parseUrl(request.request.url)?.host)
}

/** True if the host of an origin is in a list, with its port or without. */
function isHostIn(hosts: readonly string[], origin: string): boolean {
  const parsed = parseOrigin(origin)
  return parsed !== undefined && hosts.some((host) => host === parsed.hostname || isHostOf(parsed, host))
}

/** @throws McpError if a header that repeats a member of the body is missing or differs from it */
function checkHeaders(message: McpMessage, request: HttpRequest): void {
  const { method, params } = message
  const named = method === 'tools/call' ? params['name'] : undefined
  const expected: [name: string, value: unknown][] = [
    ['MCP-Protocol-Version', versionOf(message)],
    ['Mcp-Method', method],
    ...(named === undefined ? [] : [['Mcp-Name', named] satisfies [string, unknown]]),
  ]
  for (const [name, value] of expected) {
    const header = request.header(name.toLowerCase())
    if (header === undefined) throw headerMismatch(`the header ${name} is missing`)
    if (decodeHeader(header) !== value) throw headerMismatch(`the header ${name} differs from the body`)
  }
}

/** Decodes `=?base64?…?=`, the form of values that are not plain ASCII; undefined if it is malformed. */
function decodeHeader(value: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1]
  if (encoded === undefined) return value
  try {
    const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
