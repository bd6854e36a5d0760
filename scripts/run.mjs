import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a JavaScript file of a tool, without a shell. If it fails, this process exits with the tool's exit code. */
export function run(script, ...args) {
  const { status, signal, error } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}

/** The tools' files in node_modules. */
export const tool = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}
