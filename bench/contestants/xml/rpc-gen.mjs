// Everything that a server does except HTTP.
import { responder } from '../responder.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  return { format: 'xml', respond: responder(server, 'xml-rpc') }
}
