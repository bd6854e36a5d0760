// node child.mjs ADAPTER CONTESTANT PROJECT ITEM, as a child: runs one item once, and reports its cost.
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { openProject } from './open-project.mjs'

const [adapter, contestant, folder, item] = argv.slice(2)

/** Each process has one item, so that optimisations for one do not affect another. */
async function prepare() {
  const { prepare: adapt } = await import(pathToFileURL(adapter).href)
  const { start } = await import(pathToFileURL(contestant).href)
  return adapt(await start(openProject(folder)), item)
}

/** Calls `operation` several times and reads the responses, because concatenated text is only flattened then. */
function runNow(operation, times) {
  let sink = 0
  for (let i = 0; i < times; i += 1) {
    const result = operation(i)
    sink ^= typeof result === 'string' ? result.charCodeAt(0) : Number(result)
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
    // The clock is read some twenty times per sample.
    if (calls > 0) times = Math.max(1, Math.min(2 * times, Math.ceil((calls / spent) * (milliseconds / 20))))
    await run(operation, times)
    calls += times
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

// A contestant that cannot be started is reported; a wrong response ends everything, in the parent.
const operation = await prepare().catch((error) => ({ failure: error.message }))
process.on('message', async ({ milliseconds }) => {
  if (typeof operation !== 'function') process.send({ none: true, failure: operation?.failure })
  else if (milliseconds) process.send({ cost: await measure(operation, milliseconds) })
  else process.send({ result: await operation(0) })
})
process.on('disconnect', () => process.exit())
process.send('ready')
