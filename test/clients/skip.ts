import { spawnSync } from 'node:child_process'

/** Says on the console that something is not tested here, and why; answers whether that is so. */
export function skipped(name: string, reason: string | undefined): boolean {
  if (reason !== undefined) console.log(`SKIPPED ${name}: ${reason}`)
  return reason !== undefined
}

/** Why a command cannot be used here: it is not there, or what it was asked for, e.g. its version, failed. */
export function lacks(command: string, ...args: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error) return `there is no ${command} on this machine`
  return status === 0 ? undefined : `${command} ended with ${status}: ${stderr.trim().split(/ \(|\n/)[0]}`
}
