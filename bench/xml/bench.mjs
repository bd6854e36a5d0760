// node bench/xml/bench.mjs [--rounds N] [PACKAGE...]: what a call over XML-RPC costs, text to text, as a ratio to the same
// call over JSON (JSON.parse, call, JSON.stringify). A PACKAGE is a folder with our package.json and dist; several are
// measured beside each other. Default: this one, which has to be built.
//
// One process for each contestant, all of them alive at once; in each round every one of them takes its turn, in another
// order each time. A ratio is of one round; printed are the median and the quartiles. CPU time, not the clock's.
//
// Not in it: HTTP and bytes to text. In rpc-gen's row is what a server does besides (lookup, validation, context); the
// row of its codec, and those of the parsers, have no more than the base has.
import { deepStrictEqual, equal } from 'node:assert'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { work } from './work.mjs'

const own = ['rpc-gen-codec', 'rpc-gen', 'rpc-gen-json']
const others = ['saxes', 'fast-xml-parser']
const bars = { add: 1.3, '12 members': 4.5, '10,000 ints': 6.5, '1,000 structs': 7.5 }
const milliseconds = 40

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '25' } },
  allowPositionals: true,
})
const here = fileURLToPath(new URL('../..', import.meta.url))
const packages = positionals.length > 0 ? positionals : [here]

const users = []
for (const folder of packages) users.push(await compile(folder))
const contestants = [
  await contestant('json', 0),
  ...(await Promise.all(packages.flatMap((_, i) => own.map((name) => contestant(name, i))))),
  ...(await Promise.all(others.map((name) => contestant(name, 0)))),
]

async function contestant(name, i) {
  const child = fork(fileURLToPath(new URL('child.mjs', import.meta.url)), [name, packages[i], users[i]])
  await once(child, 'message')
  return { title: packages.length > 1 && own.includes(name) ? `${name} (${packages[i]})` : name, child }
}

async function ask({ child }, message) {
  child.send(message)
  const [answer] = await once(child, 'message')
  return answer
}

/** All of them answer the same, in their format. */
async function check(item) {
  const [base, ...answers] = await Promise.all(contestants.map((each) => ask(each, { item })))
  const xml = answers.find(({ format }) => format === 'xml').answer
  for (const { format, answer } of answers) {
    if (format === 'xml') equal(answer, xml)
    else deepStrictEqual(JSON.parse(answer), JSON.parse(base.answer))
  }
}

function shuffle(list) {
  return list
    .map((each) => [Math.random(), each])
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each)
}

async function measure(item) {
  const ratios = new Map(contestants.map(({ title }) => [title, []]))
  const costs = []
  // The first two rounds are for the compiler.
  for (let round = -2; round < Number(values.rounds); round++) {
    const measured = new Map()
    for (const each of shuffle(contestants)) {
      measured.set(each.title, (await ask(each, { item, milliseconds: round < 0 ? 400 : milliseconds })).cost)
    }
    if (round < 0) continue
    costs.push(measured.get('json'))
    for (const [title, cost] of measured) ratios.get(title).push(cost / measured.get('json'))
  }
  return { item, ratios, cost: at(costs, 0.5) }
}

function at(list, part) {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * part)]
}

const columns = []
for (const item of Object.keys(work)) {
  await check(item)
  columns.push(await measure(item))
}
for (const { child } of contestants) child.disconnect()
for (const user of users) rmSync(user, { recursive: true, force: true })

console.log(`Node ${process.version}, ${values.rounds} rounds; times JSON's, median [quartiles]\n`)
console.log(
  row(
    '',
    columns.map(({ item }) => item),
  ),
)
console.log(
  row(
    '---',
    columns.map(() => '---'),
  ),
)
console.log(
  row(
    'JSON, microseconds',
    columns.map(({ cost }) => cost.toPrecision(3)),
  ),
)
for (const { title } of contestants.slice(1)) {
  console.log(
    row(
      title,
      columns.map(({ ratios }) => describe(ratios.get(title))),
    ),
  )
}
console.log(
  row(
    'the bar',
    columns.map(({ item }) => String(bars[item])),
  ),
)

function describe(list) {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => at(list, part).toPrecision(3))
  return `${middle} [${low}..${high}]`
}

function row(title, cells) {
  return `| ${[title, ...cells].join(' | ')} |`
}
