import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { shuffle } from './statistics.mjs'

const script = fileURLToPath(new URL('import.mjs', import.meta.url))

/**
 * Milliseconds by the clock and of CPU that modules take to be imported, each time in a new process; lists by name, or
 * a `failure`.
 */
export function importTimes(modules, rounds) {
  const times = new Map(Object.keys(modules).map((name) => [name, { cpu: [], wall: [] }]))
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, path] of shuffle(Object.entries(modules))) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, path], { encoding: 'utf8' })
      const time = times.get(name)
      if (status !== 0) time.failure = stderr.match(/^\w*Error.*$/m)?.[0] ?? `status ${status}`
      if (time.failure || round < 0) continue
      const { cpu, wall } = JSON.parse(stdout)
      time.cpu.push(cpu)
      time.wall.push(wall)
    }
  }
  return times
}
