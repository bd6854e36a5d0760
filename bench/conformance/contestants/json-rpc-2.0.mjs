// json-rpc-2.0 leaves HTTP to its user: Node's own server passes it the body as text, as its README allows.
import { createServer } from 'node:http'
import { JSONRPCErrorException, JSONRPCServer } from 'json-rpc-2.0'

const notes = []
const one = (params) => (Array.isArray(params) ? params[0] : params?.value)

const procedures = {
  subtract: (params) => (Array.isArray(params) ? params[0] - params[1] : params.minuend - params.subtrahend),
  sum: (params) => params.reduce((total, each) => total + each, 0),
  update() {},
  get_data: () => ['hello', 5],
  notify_hello() {},
  notify_sum() {},
  'echo.any': one,
  later: (params) => new Promise((resolve) => setTimeout(() => resolve(one(params)), 20)),
  fail([code, message, data]) {
    throw new JSONRPCErrorException(message, code, data)
  },
  crash() {
    throw new Error('the password is hunter2')
  },
  note: (params) => void notes.push(one(params)),
  notes: () => notes,
}

// The package prints errors of procedures.
console.warn = () => {}
const server = new JSONRPCServer()
for (const [name, procedure] of Object.entries(procedures)) server.addMethod(name, procedure)

async function replyTo(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  const reply = await server.receiveJSON(Buffer.concat(parts).toString())
  return reply && JSON.stringify(reply)
}

const http = createServer(async (request, response) => {
  try {
    const reply = await replyTo(request)
    response.writeHead(reply ? 200 : 204, reply ? { 'Content-Type': 'application/json' } : {})
    response.end(reply || undefined)
  } catch (error) {
    response.writeHead(500, { 'Content-Type': 'text/plain' })
    response.end(`${error}`)
  }
})
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}`))
