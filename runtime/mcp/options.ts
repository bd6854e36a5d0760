import type { Procedure } from '../call/types.js'

/** Which procedures are tools: those with `@mcp`, all, or those for which a function returns true. */
export type ToolSelection = 'all' | ((procedure: Procedure) => boolean)

/** Options of `mcp`; everything has a default. */
export interface McpOptions {
  /** Which procedures are tools. Default: those with `@mcp`. */
  readonly tools?: ToolSelection
  /**
   * The hosts that requests may be sent to, beside `localhost`, `127.0.0.1` and `[::1]`: `['api.example.com']`. `'any'` accepts
   * all: only where a proxy checks them. Default: none.
   */
  readonly allowedHosts?: readonly string[] | 'any'
  /**
   * The origins of pages that may send requests, beside those of the allowed hosts: `['https://app.example.com']`, or `'any'`.
   * Default: none.
   */
  readonly allowedOrigins?: readonly string[] | 'any'
}

/** Options of `serveStdio`; everything has a default. */
export interface StdioOptions extends Pick<McpOptions, 'tools'> {
  /** What predicates and procedures get as `context.request`. Default: a request without headers. */
  readonly request?: Request
  /** What they get as `context.env`. Default: undefined. */
  readonly env?: unknown
  /** Where messages come from, one on each line. Default: standard input. */
  readonly input?: AsyncIterable<Uint8Array | string>
  /** Where responses are written. Default: standard output; then `console.log` writes to standard error. */
  readonly output?: { write(text: string): unknown; on?(event: 'error', listener: (error: unknown) => void): unknown }
}

/** Where messages come from and go to. */
export type Streams = Required<Pick<StdioOptions, 'input' | 'output'>>

/** Which hosts and origins requests may have. */
export type Access = Required<Pick<McpOptions, 'allowedHosts' | 'allowedOrigins'>>

/** Returns the hosts and origins of the options. @throws TypeError for an option with a wrong value */
export function accessOf({ allowedHosts = [], allowedOrigins = [] }: McpOptions): Access {
  checkList(allowedHosts, 'allowedHosts', 'hosts')
  checkList(allowedOrigins, 'allowedOrigins', 'origins')
  return { allowedHosts, allowedOrigins }
}

function checkList(list: unknown, name: string, what: string): void {
  if (list === 'any' || (Array.isArray(list) && list.every((each) => typeof each === 'string'))) return
  throw new TypeError(`mcp: ${name} is ${JSON.stringify(list)}, expected a list of ${what} or 'any'`)
}

/** @throws TypeError if it selects nothing that it could */
export function checkSelection(tools: unknown): void {
  if (tools === undefined || tools === 'all' || typeof tools === 'function') return
  throw new TypeError(`mcp: tools is ${JSON.stringify(tools)}, expected 'all' or a function`)
}
