import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a JavaScript file of a tool, without a shell. If it fails, this process exits with the tool's exit code. */
export function run(script, ...args) {
  const result = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  if (result.error || result.status !== 0) fail(result)
}

/** The same, but the tool's output is printed only if it fails. */
export function runQuietly(script, ...args) {
  const result = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' })
  if (result.error || result.status !== 0) fail(result)
}

/**
 * Ends this process as a process that it ran has ended, and prints what that one wrote.
 *
 * @param {Partial<import('node:child_process').SpawnSyncReturns<unknown>>} result
 * @returns {never}
 */
export function fail({ error, status, signal, stdout, stderr }) {
  if (error) throw error
  if (stdout || stderr) console.error(`\n${stdout}${stderr}`)
  return process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}

/** The tools' files in node_modules. */
export const tool = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}
