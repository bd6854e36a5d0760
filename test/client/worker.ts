// A worker that calls everything at the URL in its query, and answers what came back.
import { callEverything } from './everywhere.js'

// biome-ignore lint/style/noDefaultExport: a worker has to have one
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await callEverything(new URL(request.url).searchParams.get('url') ?? ''))
  },
}
