// A worker that makes every call at the URL in its query, and posts the results.
import { callEverything } from './everywhere.js'

// biome-ignore lint/style/noDefaultExport: a worker has to have one
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await callEverything(new URL(request.url).searchParams.get('url') ?? ''))
  },
}
