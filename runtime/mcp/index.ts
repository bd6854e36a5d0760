/**
 * Serves procedures as tools of the Model Context Protocol, over HTTP and over stdio.
 *
 * @module
 */

import { Hono } from 'hono'
import type { Table } from '../call/types.js'
import { HonoHttpRequest, sendHono } from '../http/hono.js'
import { completeOptions } from '../option-table.js'
import { type RpcServer, settingsOf } from '../server/server.js'
import { respondToMcp } from './http.js'
import { type McpOptions, mcpTable, type StdioOptions, type Streams, stdioTable } from './options.js'
import type { Service } from './response.js'
import { respondToLines } from './stdio.js'
import { type ToolSet, toolSetOf } from './tools.js'

export type {
  AudioContent,
  BinaryResource,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  TextResource,
  ToolContent,
} from './content.js'
export type { McpOptions, StdioOptions, ToolSelection } from './options.js'

/**
 * Returns a Hono app that serves procedures as tools over Streamable HTTP, on every path: mount it, or use its `fetch`.
 *
 * @example
 * app.route('/mcp', mcp(server))
 * @throws TypeError for an option with a wrong value
 * @throws Error if two tools have the same name, or if the registrations of the server conflict
 */
export function mcp(server: RpcServer, options: McpOptions = {}): Hono {
  const access = completeOptions(options, 'mcp', mcpTable)
  const service = createService(server, options)
  service()
  return new Hono().all('*', (c) => sendHono(c, respondToMcp(new HonoHttpRequest(c), service(), access)))
}

/**
 * Serves procedures as tools over standard input and output, for programs that start the server. Resolves when the input has
 * ended and all calls have.
 *
 * Predicates get `request`; by default one without headers. While it runs, `console.log` writes to standard error, since
 * standard output is for messages.
 *
 * @example
 * await serveStdio(server)
 * @throws TypeError for an option with a wrong value
 * @throws Error if two tools have the same name, or if the registrations of the server conflict
 */
export async function serveStdio(server: RpcServer, options: StdioOptions = {}): Promise<void> {
  const { input, output, request, env } = completeOptions(options, 'serveStdio', stdioTable)
  const service = createService(server, options)
  service()
  const streams = { input: input ?? standard().stdin, output: output ?? standard().stdout }
  if (output === undefined) for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error
  await respondToLines(streams, service, { ...(request && { request }), env })
}

/** What is used of the `process` of Node, Bun and Deno. */
function standard(): { readonly stdin: Streams['input']; readonly stdout: Streams['output'] } {
  const { process } = globalThis as unknown as { readonly process?: ReturnType<typeof standard> }
  if (process) return process
  throw new TypeError('serveStdio: there is no standard input here: pass input and output')
}

/** Returns a function that returns the service, with the tools of what is registered by then. */
function createService(server: RpcServer, { tools }: Pick<McpOptions, 'tools'>): () => Service {
  let known: { readonly table: Table; readonly toolSet: ToolSet } | undefined
  return () => {
    const settings = settingsOf(server)
    const { table } = settings
    if (known?.table !== table) known = { table, toolSet: toolSetOf(table, tools, settings) }
    return { settings, toolSet: known.toolSet }
  }
}
