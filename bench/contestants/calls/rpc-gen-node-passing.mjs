// rpc-gen behind node:http, with one middleware that returns the call.
import { createServer } from 'node:http'
import { listenWith } from '../listen.mjs'

export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  const { RpcServer } = await project.package('.')
  const { nodeHandler } = await project.package('node')
  const server = new RpcServer({ procedures }).use((_context, next) => next())
  return { listen: listenWith(() => createServer(nodeHandler(server))) }
}
