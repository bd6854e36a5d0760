// The base with a body that has to be UTF-8 and within a limit: bytes, decoded strictly, and the
// four headers for type and length. Nothing else is checked. As fast as we can write it: no async function, and the
// response is concatenated text, as in rpc-gen.

const utf8 = new TextDecoder('utf-8', { fatal: true })
const mostBytes = 4_194_304
const json = { 'Content-Type': 'application/json' }

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = ({ method, params, id }) =>
    `{"jsonrpc":"2.0","result":${JSON.stringify(functions[method](...params))},"id":${JSON.stringify(id)}}`
  const { Hono } = await project.hono()
  const app = new Hono().post('/rpc', (c) => {
    const { headers } = c.req.raw
    if (headers.get('content-type') !== 'application/json') return c.text('Unsupported Media Type', 415)
    if (headers.has('content-encoding')) return c.text('Unsupported Media Type', 415)
    if (headers.has('transfer-encoding')) return c.text('Length Required', 411)
    if (Number(headers.get('content-length')) > mostBytes) return c.text('Content Too Large', 413)
    return c.req.arrayBuffer().then((bytes) => {
      const body = JSON.parse(utf8.decode(bytes))
      return c.body(Array.isArray(body) ? `[${body.map(respond).join()}]` : respond(body), 200, json)
    })
  })
  return { fetch: app.fetch }
}
