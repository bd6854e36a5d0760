// The same server over JSON: the cost of a server without that of the format.
import { responder } from '../responder.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  return { format: 'json', respond: responder(server) }
}
