import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'

/**
 * Installs the packages of a folder's package-lock.json, unless they are installed. Returns the reason of a failure, undefined on
 * success. None of them is a dependency of the project, and their scripts are not run.
 */
export async function install(folder: string): Promise<string | undefined> {
  if (isInstalled(folder)) return undefined
  console.log(`Installing packages for tests: npm ci in ${folder}`)
  const script = process.env['npm_execpath']
  const npm = script ? [process.execPath, script] : ['npm']
  const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...fewRetries]
  const { status, output } = await run(folder, ...(npm as [string]), ...flags)
  // The lock file belongs to the project: a mismatch is not a reason to skip.
  if (output.includes('EUSAGE')) throw new Error(output)
  return status === 0 ? undefined : `npm ci ended with ${status}: ${lastWords(output)}`
}

/** Without a network, npm fails within seconds. */
const fewRetries = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=500']

/** npm records what it installed in its own lock file, without packages for other platforms. */
function isInstalled(folder: string): boolean {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(installed).length > 0 && Object.entries(wanted).every(isPresent)

  function isPresent([path, { version, optional }]: [string, Locked]): boolean {
    if (path === '') return true
    if (!installed[path]) return optional === true
    return installed[path].version === version && existsSync(join(folder, path))
  }
}

interface Locked {
  readonly version: string
  readonly optional?: boolean
}

function packagesOf(lock: string): Readonly<Record<string, Locked>> {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {}
}

function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => /npm (error|ERR!)/.test(line))
  return lines.slice(0, 3).join(' | ') || output.trim().slice(-200)
}
