import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root } from '../run.mjs'
import { step } from '../step.mjs'

/**
 * Installs what package-lock.json lists, unless node_modules contains exactly that. Only Node and npm are needed. `folder` is
 * that of a package below the root; default: the root itself, whose build is left to the caller.
 */
export function installWhenMissing(folder = '.') {
  if (isInstalled(folder)) return
  const scripts = folder === '.' ? ['--ignore-scripts'] : []
  step(`Installing what ${join(folder, 'package-lock.json')} lists with npm ci`, () => {
    npm({ cwd: root }, 'ci', '--prefix', folder, '--include=dev', ...scripts, '--no-audit', '--no-fund')
  })
}

/** npm records what it installed in its own lock file. Packages for other platforms are only in the list. */
export function isInstalled(folder = '.') {
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

/** Runs npm and returns what it prints. Under `npm run` the path of npm's script is known; else npm is on the PATH. */
export function npm({ cwd }, ...args) {
  const script = process.env.npm_execpath
  const options = { cwd, encoding: /** @type {const} */ ('utf8') }
  const result = script
    ? spawnSync(process.execPath, [script, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (result.error || result.status !== 0) fail(result)
  return result.stdout
}
