// node:http alone: a handler written by hand without a framework and without checks.
import { createServer } from 'node:http'
import { listenWith } from '../listen.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = ({ method, params, id }) => ({ jsonrpc: '2.0', result: functions[method](...params), id })
  const handler = (request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const text = JSON.stringify(Array.isArray(body) ? body.map(respond) : respond(body))
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      response.end(text)
    })
  }
  return { listen: listenWith(() => createServer(handler)) }
}
