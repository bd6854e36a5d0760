// node child.mjs ADAPTER CONTESTANT PROJECT ITEM, as a child: answers one item once, and tells what it costs.
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { openProject } from './open-project.mjs'

const [adapter, contestant, folder, item] = argv.slice(2)

/** Each process has one item, so that what the engine has learned of one never serves or hinders another. */
async function prepare() {
  const { prepare: adapt } = await import(pathToFileURL(adapter).href)
  const { start } = await import(pathToFileURL(contestant).href)
  return adapt(await start(openProject(folder)), item)
}

/** Calls `operation` some times; answers are looked into, since a text in pieces is put together only then. */
function runNow(operation, times) {
  let sink = 0
  for (let i = 0; i < times; i += 1) {
    const answer = operation(i)
    sink ^= typeof answer === 'string' ? answer.charCodeAt(0) : Number(answer)
  }
  return sink
}

async function runLater(operation, times) {
  let sink = 0
  for (let i = 0; i < times; i += 1) sink ^= (await operation(i)).charCodeAt(0)
  return sink
}

/** Microseconds of this process's CPU, all threads, collector and compiler included, for one operation. */
async function measure(operation, milliseconds) {
  const run = operation(0) instanceof Promise ? runLater : runNow
  let times = 1
  let calls = 0
  const before = process.cpuUsage()
  const start = performance.now()
  for (let spent = 0; spent < milliseconds; spent = performance.now() - start) {
    // The clock is asked some twenty times a sample.
    if (calls > 0) times = Math.max(1, Math.min(2 * times, Math.ceil((calls / spent) * (milliseconds / 20))))
    await run(operation, times)
    calls += times
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

// A contestant that cannot be started is told of; a wrong answer ends everything, in the parent.
const operation = await prepare().catch((error) => ({ failure: error.message }))
process.on('message', async ({ milliseconds }) => {
  if (typeof operation !== 'function') process.send({ none: true, failure: operation?.failure })
  else if (milliseconds) process.send({ cost: await measure(operation, milliseconds) })
  else process.send({ answer: await operation(0) })
})
process.on('disconnect', () => process.exit())
process.send('ready')
