// rpc-gen behind node:http, with all defaults.
import { createServer } from 'node:http'
import { listenWith } from '../listen.mjs'

export async function start(project) {
  const { server } = await project.user('procedures.gen.js')
  const { nodeHandler } = await project.package('node')
  return { listen: listenWith(() => createServer(nodeHandler(server))) }
}
