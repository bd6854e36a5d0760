import type { Context } from 'hono'
import { HonoHttpRequest, sendHono } from '../../runtime/http/hono.js'
import { type DocsSource, serveDocs } from '../../runtime/page/index.js'

/** Serves the page of a description through Hono. */
export function serveAt(c: Context, source: DocsSource): Response | Promise<Response> {
  return sendHono(c, serveDocs(new HonoHttpRequest(c), source))
}
