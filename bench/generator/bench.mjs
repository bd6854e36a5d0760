// What the generator costs, beside tsc and beside Node's own start: `node bench/generator/bench.mjs [--size 1000]
// [--rounds 7] [--node /path/to/another/node] [--node24] [--watch 1000,5000]`. Everything is run again and again in turn, in one
// go on one machine: only the ratios say anything. dist/ has to be built.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contestants } from './contestants.mjs'
import { writeCorpus } from './corpus.mjs'
import { installNode24, median, peakMemory, run } from './measure.mjs'
import { watchTimes } from './watching.mjs'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '7' },
    node: { type: 'string', default: process.execPath },
    node24: { type: 'boolean', default: false },
    watch: { type: 'string', default: '1000,5000' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-bench-'))
try {
  const node = values.node24 ? installNode24(join(folder, 'node')) : values.node
  const size = Number(values.size)
  measureRuns(node, size, Number(values.rounds))
  for (const each of values.watch.split(',').filter(Boolean)) await measureWatch(node, Number(each))
} finally {
  rmSync(folder, { recursive: true })
}

function measureRuns(node, size, rounds) {
  const project = join(folder, `runs-${size}`)
  writeCorpus(project, size)
  const all = contestants(node, project)
  const times = Object.fromEntries(all.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, prepare, args } of all) {
      prepare?.(round)
      const spent = run(node, args, project)
      // The first round fills the caches of the system, and Node's own.
      if (round > 0) times[name].push(spent)
    }
  }
  const wall = (name) => median(times[name].map((each) => each.wall))
  const cpu = (name) => median(times[name].map((each) => each.cpu))
  console.log(`${size} procedures, ${rounds} rounds, ${run(node, ['--version'], project).stdout.trim()}`)
  for (const { name, beside, bar } of all) {
    const ratio = (of) => (of(name) / of(beside)).toFixed(3)
    const against = beside ? `${ratio(wall)} of ${beside} (cpu ${ratio(cpu)})${bar ? `, the bar is ${bar}` : ''}` : ''
    console.log(
      `  ${name.padEnd(22)} ${wall(name).toFixed(0).padStart(6)} ms  cpu ${cpu(name).toFixed(0).padStart(6)} ms  ${against}`,
    )
  }
  const cold = all.find(({ name }) => name === 'cold')
  cold.prepare()
  console.log(`  peak memory, cold      ${peakMemory(node, cold.args, project).toFixed(0)} MiB; the bar is 220 at 1000`)
}

async function measureWatch(node, size) {
  const project = join(folder, `watch-${size}`)
  writeCorpus(project, size)
  const { times, memory } = await watchTimes(node, project)
  const sorted = [...times].sort((a, b) => a - b).map((each) => each.toFixed(0))
  console.log(
    `watch, ${size} procedures: ${median(times).toFixed(0)} ms from event to file (${sorted.join(' ')}); ${memory} MiB`,
  )
}
