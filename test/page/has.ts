import { spawnSync } from 'node:child_process'

/** Whether a command is on this machine. */
export function has(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}
