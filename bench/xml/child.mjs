// node child.mjs CONTESTANT PACKAGE USER, as a child: answers the calls of work.mjs, and tells what one of them costs.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { work } from './work.mjs'

const [name, folder, user] = process.argv.slice(2)
const from = (base) => (path) => import(pathToFileURL(join(resolve(base), path)).href)
const { format, start } = await import(`./contestants/${name}.mjs`)
const answer = await start({ package: from(folder), user: from(user) })

/**
 * Microseconds of this process's CPU, collector and compiler included, for one call. An answer that is put together from
 * pieces is one text only when somebody looks into it: JSON.stringify's is one at once.
 */
function measure(text, milliseconds) {
  const before = process.cpuUsage()
  const end = performance.now() + milliseconds
  let calls = 0
  do {
    answer(text).charCodeAt(0)
    calls++
  } while (performance.now() < end)
  const { user: own, system } = process.cpuUsage(before)
  return (own + system) / calls
}

process.on('message', ({ item, milliseconds }) => {
  const text = work[item][format]
  process.send(milliseconds ? { cost: measure(text, milliseconds) } : { format, answer: answer(text) })
})
process.on('disconnect', () => process.exit())
process.send('ready')
