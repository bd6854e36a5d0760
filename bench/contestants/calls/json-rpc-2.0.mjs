// json-rpc-2.0 in a Hono handler, as in its README for Express; arguments and results through zod.
import { JSONRPCServer } from 'json-rpc-2.0'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const server = new JSONRPCServer()
  server.addMethod('add', ([a, b]) => {
    const checked = schemas.add.parse({ a, b })
    return schemas.sum.parse(functions.add(checked.a, checked.b))
  })
  server.addMethod('order', ([value]) => schemas.order.parse(functions.order(schemas.order.parse(value))))
  const { Hono } = await project.hono()
  const app = new Hono().post('/rpc', async (c) => {
    const response = await server.receive(await c.req.json())
    return response ? c.json(response) : c.body(null, 204)
  })
  return { fetch: app.fetch }
}
