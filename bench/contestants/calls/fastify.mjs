// fastify: a route for each procedure, JSON Schema on both sides. It has no batches, and does not handle Requests.
import Fastify from 'fastify'
import { schemas } from '../../work/json-schema.mjs'

export { request, results } from './hono-zod-validator.mjs'

import { request } from './hono-zod-validator.mjs'

const envelope = (result) => ({ 200: { type: 'object', properties: { result } } })

export async function start(project) {
  const functions = await project.user('procedures.js')
  const app = Fastify()
  app.post('/add', { schema: { body: schemas.add, response: envelope(schemas.sum.properties.result) } }, ({ body }) =>
    Promise.resolve({ result: functions.add(body.a, body.b) }),
  )
  app.post('/order', { schema: { body: schemas.order, response: envelope(schemas.order) } }, ({ body }) =>
    Promise.resolve({ result: functions.order(body) }),
  )
  return {
    request,
    listen: async (port, ready) => {
      await app.listen({ port, host: '127.0.0.1' })
      ready(app.server.address().port)
    },
  }
}
