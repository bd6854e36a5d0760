// `npm run demo`: serves fixtures/showcase and prints how to call it. With `-- --once` it makes the calls itself, over HTTP
// in both protocols, and exits with 0 only if every response is correct.
import { parseArgs } from 'node:util'
import { buildWhenStale } from '../build/fresh.mjs'
import { installWhenMissing } from '../build/install.mjs'
import { step } from '../step.mjs'
import { callAll } from './call-all.mjs'
import { compileShowcase, generateShowcase, startShowcase } from './showcase.mjs'
import { usage } from './usage.mjs'

const { once } = readOptions()
const port = readPort(once ? 0 : 3000)

installWhenMissing()
buildWhenStale()
step('Generating fixtures/showcase/rpc.gen.ts from fixtures/showcase/procedures', generateShowcase)
step('Compiling fixtures/showcase', compileShowcase)
const onLog = (text) => once || process.stderr.write(text)
const server = await step('Serving fixtures/showcase', () => startShowcase({ port, onLog })).catch((error) => {
  console.log()
  return giveUp(error)
})
if (once) await callOnce()
else await serveUntilStopped()

async function callOnce() {
  const wrong = await callAll(server.url)
  await server.stop()
  // The calls provoke errors on purpose: their stacks are left out.
  const errors = server
    .log()
    .replace(/^ +at .*\n/gm, '')
    .trim()
  console.log(`What the server logged and did not send to clients:\n${errors.replace(/^/gm, '    ')}\n`)
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
