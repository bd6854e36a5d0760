// rpc-gen as a Node handler of h3, on its own server, srvx, with all defaults.
import { fromNodeHandler, H3 } from 'h3'
import { listenWithSrvx } from './h3.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  const { nodeHandler } = await project.package('node')
  const app = new H3().use('/rpc', fromNodeHandler(nodeHandler(server)))
  return { listen: listenWithSrvx(app.fetch) }
}
