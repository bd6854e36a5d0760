import type { ProcedureInfo } from '../call/types.js'
import { checkedLater, type DefaultRow, type OptionRow, type OptionTable, objectRow } from '../option-table.js'

/** Which procedures are tools: those with `@mcp`, all, or those for which a function returns true. */
export type ToolSelection = 'all' | ((procedure: ProcedureInfo) => boolean)

/** Options of `mcp`; everything has a default. */
export interface McpOptions {
  /** Which procedures are tools. Default: those with `@mcp`. */
  readonly tools?: 'all' | ((procedure: ProcedureInfo) => boolean)
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

const tools: OptionRow<ToolSelection> = {
  expected: "'all' or a function",
  accepts: (value) => value === 'all' || typeof value === 'function',
}

/** The options of `mcp`. */
export const mcpTable: OptionTable<McpOptions, McpOptions & Access> = {
  tools,
  allowedHosts: listOf('hosts'),
  allowedOrigins: listOf('origins'),
}

/** The options of `serveStdio`. */
export const stdioTable: OptionTable<StdioOptions> = {
  tools,
  request: objectRow('a Request'),
  env: checkedLater(),
  input: objectRow('an AsyncIterable of lines'),
  output: objectRow('an object with write()'),
}

function listOf(what: string): DefaultRow<readonly string[] | 'any'> {
  return {
    initial: [],
    expected: `a list of ${what} or 'any'`,
    accepts: (value) => value === 'any' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
  }
}
