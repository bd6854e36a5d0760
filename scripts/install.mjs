import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/**
 * Installs what package-lock.json lists, unless node_modules contains exactly that. Only Node and npm are needed. `folder` is
 * that of a package below the root; default: the root itself.
 */
export function installWhenMissing(folder = '.') {
  if (isInstalled(folder)) return
  console.log(`Installing what ${join(folder, 'package-lock.json')} lists: npm ci\n`)
  const { status } = npm('ci', '--prefix', folder, '--include=dev', '--no-audit', '--no-fund')
  if (status !== 0) process.exit(status ?? 1)
}

/** npm records what it installed in its own lock file. Packages for other platforms are only in the list. */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  if (!installed) return false
  return Object.entries(packagesOf(join(folder, 'package-lock.json')) ?? {}).every(
    ([path, wanted]) =>
      path === '' || (installed[path]?.version ?? (wanted.optional && wanted.version)) === wanted.version,
  )
}

function packagesOf(lock) {
  try {
    return JSON.parse(readFileSync(join(root, lock), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Under `npm run` the path of npm's script is known; else npm is on the PATH. */
function npm(...args) {
  const script = process.env.npm_execpath
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit') }
  return script
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}
