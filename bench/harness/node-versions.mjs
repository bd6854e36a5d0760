// The versions of Node that `--node` names: exact ones, as npm packages in a folder of bench/node_modules.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Raised by hand: a run must not depend on what was published since the last one. */
const pinned = { 20: '20.20.2', 24: '24.21.0', 26: '26.12.1' }

const cache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url))

/** The major versions that can be installed. */
export const majors = Object.keys(pinned)

/** Returns the path of a version, which is installed when it is first used. */
export function installNode(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const folder = join(cache, pinned[major])
  const node = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(node)) return node
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${pinned[major]}`]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Node ${pinned[major]} cannot be installed: ${stderr}`)
  return node
}
