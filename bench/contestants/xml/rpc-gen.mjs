// Everything that a server does except HTTP.
import { answerer } from '../answerer.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  return { format: 'xml', answer: answerer(server, 'xml-rpc') }
}
