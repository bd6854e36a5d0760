// `npm run demo`: serves fixtures/showcase and prints how to call it. With `-- --once` it makes the calls itself, over HTTP
// in both protocols, and exits with 0 only if every response is correct.
import { parseArgs } from 'node:util'
import { callAll } from './call-all.mjs'
import { isBuildFresh } from './fresh.mjs'
import { installWhenMissing } from './install.mjs'
import { run } from './run.mjs'
import { prepareShowcase, startShowcase } from './showcase.mjs'
import { usage } from './usage.mjs'

const { once } = readOptions()
const port = readPort(once ? 0 : 3000)

installWhenMissing()
if (!isBuildFresh()) {
  console.log('Building dist/')
  run('scripts/build.mjs')
}
prepareShowcase()

const server = await startShowcase({ port, ...(!once && { onLog: (text) => process.stderr.write(text) }) }).catch(
  giveUp,
)
if (once) await callOnce()
else await serveUntilStopped()

async function callOnce() {
  const wrong = await callAll(server.url)
  await server.stop()
  const log = server.log().trim()
  if (log !== '') console.log(`What the server logged and did not send to clients:\n${log.replace(/^/gm, '    ')}\n`)
  console.log(wrong === 0 ? 'Every response is correct.' : `Wrong responses: ${wrong}`)
  process.exitCode = wrong === 0 ? 0 : 1
}

/** Ctrl-C reaches the server too, which is in the same process group; other signals are passed on. */
async function serveUntilStopped() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, server.stop)
  console.log(usage(server.url))
  process.exitCode = (await server.ended) ?? 0
}

function readOptions() {
  try {
    return parseArgs({ options: { once: { type: 'boolean', default: false } } }).values
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nUsage: npm run demo [-- --once]`)
    return process.exit(2)
  }
}

function readPort(otherwise) {
  const text = process.env.PORT ?? ''
  if (text === '') return otherwise
  if (/^\d+$/.test(text) && Number(text) < 65536) return Number(text)
  return giveUp(new Error(`PORT=${text} is not a port: expected a number from 0 to 65535`))
}

function giveUp(error) {
  console.error(error.message)
  return process.exit(1)
}
