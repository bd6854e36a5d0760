// h3's JSON-RPC handler on its own server, srvx; arguments and results through zod.
import { defineJsonRpcHandler, H3, HTTPError } from 'h3'
import { serve } from 'srvx'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const parsed = (schema, value) => {
    const { success, data } = schema.safeParse(value)
    if (!success) throw new HTTPError({ status: 400, message: 'Invalid params' })
    return data
  }
  const methods = {
    add({ params: [a, b] }) {
      const data = parsed(schemas.add, { a, b })
      return schemas.sum.parse(functions.add(data.a, data.b))
    },
    order({ params: [value] }) {
      return schemas.order.parse(functions.order(parsed(schemas.order, value)))
    },
  }
  const app = new H3().post('/rpc', defineJsonRpcHandler({ methods, maxBatchSize: 100 }))
  return { listen: listenWithSrvx(app.fetch) }
}

/** Returns the `listen` of a contestant whose `fetch` is served by srvx. */
export function listenWithSrvx(fetch) {
  return async (port, ready) => {
    const server = serve({ fetch, port, hostname: '127.0.0.1', silent: true })
    await server.ready()
    ready(Number(new URL(server.url).port))
  }
}
