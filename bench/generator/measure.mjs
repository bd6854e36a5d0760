import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a command to its end: milliseconds by the clock and of the processor, and its output. */
export function run(node, args, cwd) {
  const start = performance.now()
  const env = { ...process.env, CI: '', XDG_CACHE_HOME: join(cwd, '.cache') }
  const { status, stdout, stderr, error } = spawnSync(node, args, { cwd, env, encoding: 'utf8' })
  const wall = performance.now() - start
  if (error) throw error
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return { wall, cpu: cpuOfChildren(), stdout }
}

let spent = cpuOfAllChildren()

/** The processor time of the child that has just ended. Linux reports it for all children together. */
function cpuOfChildren() {
  const now = cpuOfAllChildren()
  const own = now - spent
  spent = now
  return own
}

function cpuOfAllChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    // Ticks of 10 ms, user and system: cutime and cstime.
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}

/** The maximum memory of a run, in MiB. */
export function peakMemory(node, args, cwd) {
  const file = join(tmpdir(), `rpc-gen-bench-${process.pid}.txt`)
  const note = `import { writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)))`
  run(node, ['--import', `data:text/javascript,${encodeURIComponent(note)}`, ...args], cwd)
  const kilobytes = Number(readFileSync(file, 'utf8'))
  rmSync(file)
  return kilobytes / 1024
}
