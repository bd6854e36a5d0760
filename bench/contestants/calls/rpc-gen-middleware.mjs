// rpc-gen with one middleware that only awaits the call.
import { answerer } from '../answerer.mjs'

export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  const { RpcServer } = await project.package('.')
  const server = new RpcServer({ procedures }).use(async (_context, next) => await next())
  return { answer: answerer(server) }
}
