// A NATS service: `port` is that of the NATS server. There are as many processes of it as are started.
import { connect } from '@nats-io/transport-node'
import { createServer } from './server.mjs'

export async function start(project) {
  const { serveNats } = await project.package('nats')
  const connection = await connect({ servers: `127.0.0.1:${process.env.NATS_PORT}` })
  await serveNats(await createServer(project), connection, { name: 'bench', version: '1.0.0' })
  return { listen: (port, ready) => ready(port) }
}
