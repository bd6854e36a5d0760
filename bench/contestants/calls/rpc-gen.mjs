// rpc-gen with all defaults, mounted in a Hono app as the README shows it.
import { responder } from '../responder.mjs'

export async function start(project) {
  const { router, server } = await project.user('procedures.gen.js')
  const { Hono } = await project.hono()
  const app = new Hono().route('/rpc', router)
  return { fetch: app.fetch, respond: responder(server) }
}
