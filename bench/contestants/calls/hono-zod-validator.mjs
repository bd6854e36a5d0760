// The usual way with Hono: a route for each procedure behind @hono/zod-validator; results through zod too. There are no batches.
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const app = new Hono()
    .post('/add', zValidator('json', schemas.add), (c) => {
      const { a, b } = c.req.valid('json')
      return c.json({ result: schemas.sum.parse(functions.add(a, b)) })
    })
    .post('/order', zValidator('json', schemas.order), (c) =>
      c.json({ result: schemas.order.parse(functions.order(c.req.valid('json'))) }),
    )
  return { fetch: app.fetch, request }
}

export function request({ batch, calls: [{ method, named }] }) {
  return batch ? undefined : { path: `/${method}`, body: JSON.stringify(named), headers: {} }
}

export const results = (text) => [JSON.parse(text).result]
