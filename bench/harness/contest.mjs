// The one way in which contestants are measured: a process each, all alive at once, answers compared, then rounds in
// which every one takes its turn, in another order each time. A ratio is of one round.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shuffle } from './statistics.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const warmUp = 400

/**
 * Measures one item. `contestants` are paths below contestants/, the first is the base; `check(answer, item, title)`
 * throws at a wrong answer. Answers `{ item, costs, ratios, failures }`, maps by title: microseconds, times the base's.
 */
export async function contest({ adapter, contestants, item, check, options }) {
  const children = await Promise.all(entries(contestants, options).map((entry) => begin(adapter, entry, item)))
  const failures = new Map()
  const taking = []
  for (const each of children) {
    const { answer, none, failure } = await ask(each, {})
    if (failure) failures.set(each.title, `cannot be run: ${failure.split('\n', 1)[0]}`)
    else if (!none) taking.push(each)
    if (!none) check(answer, item, each.title)
  }
  const costs = await rounds(taking, options)
  for (const { child } of children) child.disconnect()
  const base = costs.get(taking[0].title)
  const ratios = new Map([...costs].map(([title, list]) => [title, list.map((cost, i) => cost / base[i])]))
  return { item, costs, ratios, failures }
}

/** One column after another. */
export async function contestAll({ items, ...rest }) {
  const columns = []
  for (const item of items) columns.push(await contest({ ...rest, item }))
  return columns
}

/** Ours are measured once for each package that was given. */
function entries(contestants, { projects }) {
  return contestants.flatMap((file) => {
    const title = basename(file, '.mjs')
    const ours = projects.length > 1 && title.startsWith('rpc-gen') ? projects : projects.slice(0, 1)
    return ours.map((project) => ({
      file,
      project: project.folder,
      title: ours.length > 1 ? `${title} (${project.source})` : title,
    }))
  })
}

async function begin(adapter, { file, project, title }, item) {
  const args = [join(root, 'adapters', adapter), join(root, 'contestants', file), project, item]
  const child = fork(join(root, 'harness/child.mjs'), args, { env: { ...process.env, NODE_ENV: 'production' } })
  await once(child, 'message')
  return { title, child }
}

async function ask({ child }, message) {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer
}

async function rounds(children, { count, milliseconds }) {
  const costs = new Map(children.map(({ title }) => [title, []]))
  // The first two are for the compiler.
  for (let round = -2; round < count; round += 1) {
    for (const each of shuffle(children)) {
      const { cost } = await ask(each, { milliseconds: round < 0 ? warmUp : milliseconds })
      if (round >= 0) costs.get(each.title).push(cost)
    }
  }
  return costs
}
