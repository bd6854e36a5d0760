// The cost of the generator, compared with tsc and with Node's own start: whole processes, in turn, on a corpus of procedures.
import { join } from 'node:path'
import { cliOf, contestants } from '../generator/contestants.mjs'
import { writeCorpus } from '../generator/corpus.mjs'
import { peakMemory, run as runNode } from '../generator/measure.mjs'
import { stagesOf } from '../generator/stages.mjs'
import { watchTimes } from '../generator/watching.mjs'
import { median } from '../harness/statistics.mjs'
import { digits, spread, table } from '../harness/table.mjs'

export const title = 'What generating costs'

const sizes = [100, 1_000, 5_000]
const watched = [1_000, 5_000]

export async function run({ projects: [{ folder }], rounds }) {
  const own = join(folder, 'node_modules/rpc-gen')
  const at = (name, size) => {
    const project = join(folder, `${name}-${size}`)
    writeCorpus(project, size)
    return project
  }
  const runs = sizes.map((size) => measureRuns(process.execPath, at('runs', size), own, rounds))
  const watches = []
  for (const size of watched) watches.push(await watchTimes(process.execPath, at('watch', size), cliOf(own)))
  const stages = stagesOf(process.execPath, [cliOf(own), 'src/api'], at('stages', 1_000))
  const columns = sizes.map((size) => size.toLocaleString('en'))
  const text = [
    runTable(columns, runs),
    '\nWatching, milliseconds by the clock from the edit of one file to the new output:\n',
    watchTable(watches),
    '\nA cold run of 1,000 procedures:\n',
    stageTable(stages),
  ]
  const figures = Object.fromEntries(sizes.map((size, i) => [size, figuresOf(runs[i])]))
  const watch = Object.fromEntries(watched.map((size, i) => [size, median(watches[i].times)]))
  return { text: text.join('\n'), figures: { ...figures, watch } }
}

function measureRuns(node, project, own, rounds) {
  const all = contestants(node, project, own)
  const spent = Object.fromEntries(all.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    // Always in this order: an edit needs the run before it.
    for (const { name, prepare, args } of all) {
      prepare?.(round)
      const one = runNode(node, args, project)
      // The first round fills the caches of the system, and Node's own.
      if (round > 0) spent[name].push(one)
    }
  }
  const cold = all.find(({ name }) => name === 'cold')
  cold.prepare()
  return { all, spent, memory: peakMemory(node, cold.args, project) }
}

const ratios = ({ spent }, name, beside, unit) => spent[name].map((each, i) => each[unit] / spent[beside][i][unit])

function figuresOf({ all, spent, memory }) {
  const measured = all.filter(({ beside }) => beside)
  const figure = ({ name, beside }) => [name, median(ratios({ spent }, name, beside, 'wall'))]
  return { ...Object.fromEntries(measured.map(figure)), memory }
}

function runTable(columns, found) {
  const rows = found[0].all.flatMap(({ name, beside }) => {
    const cells = (show) => found.map(show)
    const clock = ({ spent }) => digits(median(spent[name].map(({ wall }) => wall)))
    if (!beside) return [[`${name}, ms by the clock`, ...cells(clock)]]
    return [
      [`${name}, times \`${beside}\``, ...cells((each) => spread(ratios(each, name, beside, 'wall')))],
      ['the same, CPU time', ...cells((each) => spread(ratios(each, name, beside, 'cpu')))],
    ]
  })
  const memory = ['peak memory of a cold run, MiB', ...found.map((each) => digits(each.memory))]
  return table(['procedures', ...columns], [...rows, memory])
}

function watchTable(watches) {
  const times = ['to the new output', ...watches.map((each) => digits(median(each.times)))]
  const memory = ['memory, MiB', ...watches.map((each) => String(each.memory))]
  return table(['procedures', ...watched.map((size) => size.toLocaleString('en'))], [times, memory])
}

function stageTable(stages) {
  const percent = (share) => `${(100 * share).toFixed(0)} %`
  const rows = stages.map(([name, all, compiler]) => [name, percent(all), percent(compiler)])
  return table(['', 'share', "in the compiler's code"], rows)
}
