import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { missingFile } from './global-setup.js'

/**
 * Whether a test is skipped because this machine lacks something that it needs. The reasons are printed at the end of the run.
 * With `RPC_GEN_REQUIRE=all` in the environment it is an error instead.
 */
export function skipped(name: string, reason: string | undefined): boolean {
  if (reason === undefined) return false
  if (process.env['RPC_GEN_REQUIRE'] === 'all') throw new Error(`${name} cannot run: ${reason}`)
  const file = missingFile()
  if (file) appendFileSync(file, `${JSON.stringify([reason, name])}\n`)
  return true
}

/** True if a test is skipped because its subject cannot do what it tests, on any machine. The reason is printed. */
export function inapplicable(name: string, reason: string | undefined): boolean {
  if (reason !== undefined) console.log(`SKIPPED ${name}: ${reason}`)
  return reason !== undefined
}

/** Why a command cannot be used on this machine: it is not installed, or it failed with these arguments. */
export function missingCommand(command: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error) return `there is no ${command} on this machine`
  return status === 0 ? undefined : `${command} ended with ${status}: ${stderr.trim().split(/ \(|\n/)[0]}`
}
