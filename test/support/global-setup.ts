import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run one folder for everything temporary, with its own cache; both are removed at the end. */
export function setup(): (() => void) | undefined {
  // It is called for each project.
  if (process.env['RPC_GEN_TEST_FOLDER'] !== undefined) return undefined
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rpc-gen-tests-')))
  // Tests run commands as other users too.
  chmodSync(folder, 0o755)
  process.env['RPC_GEN_TEST_FOLDER'] = folder
  const cache = join(folder, 'cache')
  mkdirSync(cache)
  process.env['XDG_CACHE_HOME'] = cache
  return () => {
    printMissing()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The file of a run for the tests that are skipped: on each line a JSON array of the reason and the name. */
export function missingFile(): string | undefined {
  const folder = process.env['RPC_GEN_TEST_FOLDER']
  return folder && join(folder, 'missing.jsonl')
}

/** Prints what this machine lacks, each once, with the tests that were skipped. */
function printMissing(): void {
  const file = missingFile()
  if (!file || !existsSync(file)) return
  const tests = new Map<string, Set<string>>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [reason, name]: [string, string] = JSON.parse(line)
    tests.set(reason, (tests.get(reason) ?? new Set()).add(name))
  }
  console.log('Skipped, because this machine lacks what they need:')
  for (const [reason, names] of tests) console.log(`  ${reason}: ${[...names].join('; ')}`)
}
