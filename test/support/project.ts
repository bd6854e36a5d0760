import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isBuildFresh } from '../../scripts/build/fresh.mjs'
import { cli, type Ended, rpcGen } from './command.js'
import { temporaryFolder } from './temporary-folder.js'

/** A folder with files, to be removed in the end. */
export interface TestProject {
  readonly folder: string
  /** Creates or replaces a file in one step. */
  write(path: string, text: string): void
  read(path: string): string
  remove(path: string): void
  /** Runs rpc-gen in the folder; in a process of its own if `node` has the options of Node itself, or none. */
  rpcGen(
    args: readonly string[],
    node?: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ): Promise<Ended>
}

/** Throws an Error if dist/ does not have what the sources have. */
export function requireBuild(): void {
  if (!isBuildFresh()) throw new Error('dist/ is missing or older than the sources: run `npm run build` first')
}

/** Writes files into a folder, which it returns. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** The cache is that of all tests, in which the compiler's code is cached, or the one in `.cache` of the folder. */
export function createTestProject(files: Readonly<Record<string, string>>, hasCache = false): TestProject {
  const folder = writeFiles(temporaryFolder('project'), files)
  return {
    folder,
    write(path, text) {
      // A command that watches would also run on a file that is created but still empty.
      const whole = `${folder}.whole`
      writeFileSync(whole, text)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      renameSync(whole, join(folder, path))
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
    rpcGen: (args, node, variables = {}) => {
      const cache = hasCache ? { XDG_CACHE_HOME: join(folder, '.cache') } : {}
      if (!node) return rpcGen(folder, args, { ...cache, ...variables })
      const env = { ...process.env, NO_COLOR: '1', CI: '', ...cache, ...variables }
      return new Promise((resolve) => {
        execFile(process.execPath, [...node, cli, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
          resolve({ status: error ? (error.code as number) : 0, stdout, stderr })
        })
      })
    },
  }
}

/** Two procedures over a type of another file, with a package and a tsconfig that another one extends. */
export const smallProject: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "small", "type": "module" }\n',
  'tsconfig.base.json': '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext" } }\n',
  'tsconfig.json': '{ "extends": "./tsconfig.base.json", "include": ["src"] }\n',
  'src/api/add.ts':
    '/**\n * Adds.\n *\n * @rpc\n */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n',
  'src/api/greet.ts':
    "import type { Name } from '../types/name.js'\n\n/** @rpc */\nexport const greet = (name: Name): Name => ({ ...name })\n",
  'src/types/name.ts': 'export interface Name {\n  first: string\n}\n',
}
