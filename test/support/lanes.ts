import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
import { root } from './paths.js'

/** The helpers whose users make up a lane. A test is in the first lane that has one of its imports, or itself. */
const helpers = {
  // Packs the package and installs it.
  package: ['support/package'],
  // Starts clients, servers and runtimes, many of which are installed first.
  clients: [
    'support/install',
    'support/programs',
    'support/process',
    'support/run-client',
    'support/skip',
    'page/chromium',
  ],
  // Runs rpc-gen and other commands.
  command: ['support/project', 'support/run'],
  // Runs the generator, TypeScript or a debugger in this process, or takes longer than ten seconds.
  generator: [
    'support/generate',
    'support/compile-module',
    'support/checked',
    'typescript',
    'ts-morph',
    'steps/count',
    'generator/index',
    'generator/build',
  ],
} as const

/** A part of the tests that can be run alone. `unit` has the tests that are in no other lane. */
export type Lane = keyof typeof helpers | 'unit'

/** The test files of each lane, by what they import. */
export function lanes(): ReadonlyMap<Lane, readonly string[]> {
  const names: readonly Lane[] = ['unit', 'generator', 'command', 'clients', 'package']
  const files = new Map<Lane, string[]>(names.map((name) => [name, []]))
  const ignore = ['**/node_modules', '**/dist']
  for (const path of globSync('test/**/*.test.ts', { cwd: root, ignore, followSymbolicLinks: false })) {
    files.get(laneOf(join(root, path)))?.push(path)
  }
  return files
}

function laneOf(file: string): Lane {
  const imported = [file, ...importedBy(file)]
  for (const [lane, names] of Object.entries(helpers)) {
    const isHelper = (each: string) => names.some((name) => each === name || each.endsWith(`/${name}.ts`))
    if (imported.some(isHelper)) return lane as Lane
  }
  return 'unit'
}

/** The modules that a file of test/ imports, directly or not: paths of files, and the names of packages. */
function importedBy(file: string, found = new Set<string>()): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8')
  for (const [, isType, specifier = ''] of text.matchAll(/^(?:import|\}) (type )?.*?'([^']+)'$/gm)) {
    if (isType) continue
    const path = specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.ts')) : specifier
    if (found.has(path)) continue
    found.add(path)
    if (path.startsWith(join(root, 'test')) && existsSync(path)) importedBy(path, found)
  }
  return found
}
