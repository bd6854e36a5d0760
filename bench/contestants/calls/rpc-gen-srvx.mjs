// rpc-gen's fetch on srvx, with all defaults.
import { listenWithSrvx } from './h3.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  return { listen: listenWithSrvx(server.fetch) }
}
