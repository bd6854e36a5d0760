// The machine and the date of a measurement.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

const version = (name, root = '..') =>
  JSON.parse(readFileSync(new URL(`${root}/node_modules/${name}/package.json`, import.meta.url), 'utf8')).version

/** `2 cores (…), 24 GiB, linux` */
export function describeMachine() {
  const [{ model }] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores (${model.trim()}), ${memory} GiB, ${process.platform}`
}

/** The mean of the last minute. */
export const loadNow = () => loadavg()[0].toFixed(1)

/** ` of rpc-gen at …`; empty if git does not know. */
export function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', cwd: import.meta.dirname })
  return stdout?.trim() ? ` of rpc-gen at ${stdout.trim()}` : ''
}

export const python = spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout?.trim() || undefined

/** The measured packages, in the installed versions. */
export function versions() {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const peers = Object.keys({ ...dependencies, ...devDependencies }).map((name) => `${name} ${version(name)}`)
  const [, wrk] = /^(wrk \S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '') ?? []
  const tsc = `typescript ${version('typescript', '../..')} (its tsc is the base for generating)`
  return [...peers, tsc, ...(wrk ? [wrk] : [])].join(', ')
}
