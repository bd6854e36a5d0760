// The base: a handler written by hand in Hono, without checks.

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = ({ method, params, id }) => ({ jsonrpc: '2.0', result: functions[method](...params), id })
  const { Hono } = await project.hono()
  const app = new Hono().post('/rpc', async (c) => {
    const body = await c.req.json()
    return c.json(Array.isArray(body) ? body.map(respond) : respond(body))
  })
  return { fetch: app.fetch }
}
