// rpc-gen with one middleware after validation that returns the call.
import { responder } from '../responder.mjs'

export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  const { RpcServer } = await project.package('.')
  const server = new RpcServer({ procedures }).use((_context, next) => next(), { after: 'validation' })
  return { respond: responder(server) }
}
