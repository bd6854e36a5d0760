// The stages of a cold run by their time, by node --cpu-prof.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './measure.mjs'

const ownCode = /\/dist\/(?:generator|runtime|templates)\//
const compiler = /ts-morph/

/** The stages of a run, by the rpc-gen function that each is below; the first match counts. */
const stages = [
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ['loading modules, most of it the compiler', ({ functionName }) => /^(?:evaluate|Module\._load)$/.test(functionName)],
  ['parsing and binding', ({ functionName, url }) => functionName === 'openProject' && ownCode.test(url)],
  ['resolving types', ({ functionName, url }) => functionName === 'analysePart' && ownCode.test(url)],
  ['planning and writing text', ({ functionName, url }) => functionName === 'render' && ownCode.test(url)],
]

/** The share of each stage, as `[stage, share, share of the compiler's own code]`; the rest is last. */
export function stagesOf(node, args, cwd) {
  const to = mkdtempSync(join(tmpdir(), 'rpc-gen-stages-'))
  run(node, ['--cpu-prof', `--cpu-prof-dir=${to}`, '--cpu-prof-interval=500', ...args], cwd)
  const profile = JSON.parse(readFileSync(join(to, readdirSync(to)[0]), 'utf8'))
  rmSync(to, { recursive: true })
  return sharesOf(profile)
}

function sharesOf({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const found = new Map([...stages.map(([name]) => name), 'the rest'].map((name) => [name, { all: 0, compiler: 0 }]))
  let total = 0
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)
    if (frame.functionName === '(idle)') continue
    const time = timeDeltas[i]
    const stage = found.get(stageOf(id, frames, parents))
    total += time
    stage.all += time
    if (compiler.test(frame.url)) stage.compiler += time
  }
  const missing = [...found].find(([, { all }]) => all === 0)
  if (missing) throw new Error(`no part of the run is ${missing[0]} any more`)
  return [...found].map(([name, stage]) => [name, stage.all / total, stage.compiler / total])
}

function stageOf(id, frames, parents) {
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const stage = stages.find(([, is]) => is(frames.get(at)))
    if (stage) return stage[0]
  }
  return 'the rest'
}
