import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a JavaScript file of a tool, without a shell. If it fails, this process exits with the tool's exit code. */
export function run(script, ...args) {
  const result = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  if (result.error || result.status !== 0) fail(result)
}

/**
 * Runs several JavaScript files of tools, as many at once as there are cores. If one fails, this process exits with its exit code
 * when the running ones have ended.
 *
 * @param {(readonly [script: string, ...args: string[]])[]} commands
 */
export async function runAll(commands) {
  const waiting = [...commands]
  const failed = []
  const work = async () => {
    for (let next = waiting.shift(); next && failed.length === 0; next = waiting.shift()) {
      const child = spawn(process.execPath, next, { cwd: root, stdio: 'inherit' })
      const status = await new Promise((resolve) => child.once('close', resolve))
      if (status !== 0) failed.push(status ?? 1)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  if (failed.length > 0) process.exit(failed[0])
}

/** The same as `run`, but the tool's output is printed only if it fails. */
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
