// node node.mjs APP serves the compiled app on a free port.
import { serve } from '@hono/node-server'

const { app } = await import(process.argv[2])
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port} answers`)
})
