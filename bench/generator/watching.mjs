import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileName } from './corpus.mjs'

const edits = 15

/** Edits one file after the other while rpc-gen watches; milliseconds from the write to the new output. */
export async function watchTimes(node, project, cli) {
  const env = { ...process.env, CI: '', XDG_CACHE_HOME: join(project, '.cache') }
  const options = { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] }
  const child = spawn(node, [cli, 'src/api', '--watch'], options)
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await wait(500)
    const times = []
    for (let i = 0; i < edits; i += 1) times.push(await edit(project, i))
    // The first edits are not measured, because code is still being compiled.
    return { times: times.slice(5), memory: memoryOf(child.pid) }
  } finally {
    child.kill('SIGINT')
  }
}

async function edit(project, i) {
  const source = join(project, fileName(i % 5))
  const output = join(project, 'src/rpc.gen.ts')
  const { ino } = statSync(output)
  const text = readFileSync(source, 'utf8').replace(/Counts the \w+/, `Counts the parts${i}`)
  const start = performance.now()
  writeFileSync(source, text)
  while (statSync(output).ino === ino) await wait(1)
  const spent = performance.now() - start
  await wait(200)
  return spent
}

function memoryOf(pid) {
  try {
    return Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return '?'
  }
}
