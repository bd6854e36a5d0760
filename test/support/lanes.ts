import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
import { root } from './paths.js'

/** The helpers whose users make up a lane. A test is in the first lane that has one of its imports, or itself. */
const helpers = {
  // Runs rpc-gen, servers and other commands.
  command: ['support/project', 'support/run', 'support/process', 'support/skip'],
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

/** The tests that need more than the packages of the project: other packages, servers, compilers, runtimes, a browser. */
export const external = 'test/**/*.external.test.ts'

/** A part of the tests that can be run alone. `unit` has the tests that are in no other lane. */
export type Lane = keyof typeof helpers | 'unit'

/** The test files of each lane of `npm test`, by what they import. */
export function lanes(): ReadonlyMap<Lane, readonly string[]> {
  const names: readonly Lane[] = ['unit', 'generator', 'command']
  const files = new Map<Lane, string[]>(names.map((name) => [name, []]))
  const ignore = ['**/node_modules', '**/dist', external]
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
