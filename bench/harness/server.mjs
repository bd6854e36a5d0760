// node server.mjs CONTESTANT PROJECT [WORKERS], as a child: serves, and reports the CPU time that it has used. With WORKERS it is
// that many processes of node:cluster, which report nothing.
import cluster from 'node:cluster'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { openProject } from './open-project.mjs'

const [contestant, folder, workers] = argv.slice(2)

if (workers && cluster.isPrimary) {
  let listening = 0
  cluster.on('listening', (_, { port }) => {
    listening += 1
    if (listening === Number(workers)) process.send({ port })
  })
  for (let i = 0; i < Number(workers); i += 1) cluster.fork()
} else {
  const { start } = await import(pathToFileURL(contestant).href)
  const { fetch, listen } = await start(openProject(folder))
  const ready = (port) => process.send({ port })
  if (listen) listen(0, ready)
  else serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => ready(port))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ spent: user + system })
  })
}
process.on('disconnect', () => process.exit())
