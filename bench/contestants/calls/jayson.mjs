// jayson with its own HTTP server; arguments and results through zod.
import jayson from 'jayson'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const server = new jayson.Server({
    add([a, b], done) {
      const { success, data } = schemas.add.safeParse({ a, b })
      if (!success) return done({ code: -32602, message: 'Invalid params' })
      done(null, schemas.sum.parse(functions.add(data.a, data.b)))
    },
    order([value], done) {
      const { success, data } = schemas.order.safeParse(value)
      if (!success) return done({ code: -32602, message: 'Invalid params' })
      done(null, schemas.order.parse(functions.order(data)))
    },
  })
  return {
    listen: (port, ready) => {
      const http = server.http()
      http.listen(port, '127.0.0.1', () => ready(http.address().port))
    },
    respond: (text) => {
      let response
      server.call(text, (error, reply) => {
        response = JSON.stringify(error ?? reply)
      })
      return response
    },
  }
}
