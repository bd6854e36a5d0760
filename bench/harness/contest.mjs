// The measurement of contestants: one process each, all alive at once, responses compared, then rounds in
// which every one has its turn, in another order each time; and all of it again with new processes. A ratio is of one
// round.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shuffle } from './statistics.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const warmUp = 300
/** How often all processes are started again: how an engine compiles a program differs between processes. */
const sets = 3

/**
 * Measures one item. `contestants` are paths below contestants/, the first is the base; `check(result, item, title)`
 * throws for a wrong response. Returns `{ item, costs, ratios, failures }`, maps by title: microseconds, multiples of the base's.
 */
export async function contest(work) {
  const { item, options } = work
  const found = { item, costs: new Map(), ratios: new Map(), failures: new Map() }
  for (let set = 0; set < sets; set += 1) await contestOnce(work, Math.ceil(options.count / sets), found)
  return found
}

async function contestOnce({ adapter, contestants, item, check, options }, count, { costs, ratios, failures }) {
  const children = await Promise.all(entries(contestants, options).map((entry) => begin(adapter, entry, item)))
  const taking = []
  for (const each of children) {
    const { result, none, failure } = await request(each, {})
    if (failure) failures.set(each.title, `cannot be run: ${failure.split('\n', 1)[0]}`)
    else if (!none) taking.push(each)
    if (!none) check(result, item, each.title)
  }
  const [base] = children
  if (!taking.includes(base))
    throw new Error(`${base.title} cannot be the base of ${item}: ${failures.get(base.title)}`)
  const measured = await rounds(taking, count, options)
  for (const { child } of children) child.disconnect()
  for (const [title, list] of measured) {
    append(costs, title, list)
    append(
      ratios,
      title,
      list.map((cost, i) => cost / measured.get(base.title)[i]),
    )
  }
}

function append(lists, title, list) {
  lists.set(title, [...(lists.get(title) ?? []), ...list])
}

/** One column after another. */
export async function contestAll({ items, ...rest }) {
  const columns = []
  for (const item of items) columns.push(await contest({ ...rest, item }))
  return columns
}

/** rpc-gen is measured once for each given package. A contestant may have its own title and item. */
export function entries(contestants, { projects }) {
  return contestants.flatMap((contestant) => {
    const { file, title, item } = typeof contestant === 'string' ? { file: contestant } : contestant
    const name = title ?? basename(file, '.mjs')
    const ours = projects.length > 1 && basename(file).startsWith('rpc-gen') ? projects : projects.slice(0, 1)
    return ours.map((project) => ({
      file,
      item,
      project: project.folder,
      title: ours.length > 1 ? `${name} (${project.source})` : name,
    }))
  })
}

async function begin(adapter, { file, project, title, item: own }, item) {
  const args = [join(root, 'adapters', adapter), join(root, 'contestants', file), project, own ?? item]
  const child = fork(join(root, 'harness/child.mjs'), args, { env: { ...process.env, NODE_ENV: 'production' } })
  await once(child, 'message')
  return { title, child }
}

async function request({ child }, message) {
  child.send(message)
  const [result] = await once(child, 'message')
  return result
}

async function rounds(children, count, { milliseconds }) {
  const costs = new Map(children.map(({ title }) => [title, []]))
  // The first two rounds are for the compiler.
  for (let round = -2; round < count; round += 1) {
    for (const each of shuffle(children)) {
      const { cost } = await request(each, { milliseconds: round < 0 ? warmUp : milliseconds })
      if (round >= 0) costs.get(each.title).push(cost)
    }
  }
  return costs
}
