// The same server over JSON: the cost of a server without that of the format.
import { answerer } from '../answerer.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  return { format: 'json', answer: answerer(server) }
}
