// npm's xmlrpc: the work of its server on the text of a request, which is written in one piece; the parser is synchronous.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const Deserializer = require('xmlrpc/lib/deserializer')
const { serializeMethodResponse } = require('xmlrpc/lib/serializer')

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = (text) => {
    let reply
    new Deserializer().deserializeMethodCall(streamOf(text), (error, method, params) => {
      if (error) throw error
      reply = serializeMethodResponse(functions[method](...params))
    })
    return reply
  }
  return { format: 'xml', respond }
}

const streamOf = (text) => ({
  setEncoding() {},
  on() {},
  pipe: (parser) => parser.end(text),
})
