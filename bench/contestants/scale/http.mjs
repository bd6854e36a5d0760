// The Node entry point, in one process or several.
import { createServer } from 'node:http'
import { listenWith } from '../listen.mjs'
import { createServer as createRpcServer } from './server.mjs'

export async function start(project) {
  const { nodeHandler } = await project.package('node')
  const handler = nodeHandler(await createRpcServer(project))
  return { listen: listenWith(() => createServer(handler)) }
}
