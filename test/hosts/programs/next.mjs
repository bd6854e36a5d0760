// Calls a route handler as Next.js does: by the name of the method, with the parameters of the route.
import { serve } from '@hono/node-server'
import { GET, POST } from './app/rpc/route.js'

const route = { GET, HEAD: GET, POST }

function fetch(request) {
  return route[request.method]?.(request, { params: Promise.resolve({}) }) ?? notAllowed()
}

function notAllowed() {
  return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD, POST' } })
}

serve({ fetch, hostname: '127.0.0.1', port: Number(process.env['PORT']) })
