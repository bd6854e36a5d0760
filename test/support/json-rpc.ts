import type { Fetch } from 'rpc-gen/client'

/** A response in JSON-RPC. */
export interface RpcResponse {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** An app or a router of Hono. */
export interface App {
  request(path: string, init: RequestInit): Response | Promise<Response>
}

/** A message that calls a procedure. */
export function call(method: string, params: unknown = [], id: unknown = 1): object {
  return { jsonrpc: '2.0', method, params, id }
}

/** A POST of a message. */
export function postJson(message: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(message) }
}

/** Posts a message to an app; returns the parsed response. */
export async function send(
  app: App,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = '/',
): Promise<unknown> {
  return (await app.request(path, postJson(message, headers))).json()
}

/** Posts a call to an app; returns the parsed response. */
export async function responseTo(app: App, method: string, params?: unknown): Promise<RpcResponse> {
  return (await send(app, call(method, params))) as RpcResponse
}

/** The `fetch` of a client whose requests are sent to an app. */
export function fetchFrom(app: App): Fetch {
  return (_url, init) => app.request('/', init as RequestInit)
}
