// Finds and reads the configuration of a command: the nearest file, or the one of --config. One that is a module is evaluated:
//
//   rpc.config.ts with export default { paths: 'src/api' }  →  [{ paths: 'src/api' }]
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import type { RpcConfig } from '../../runtime/config.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Disk } from '../disk/disk.js'
import { checkConfig } from '../options/options.js'
import { foldersUpTo } from '../paths.js'
import { toCommonJs } from '../source/program/required.js'

const configNames = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs', 'rpc.config.json']

/**
 * Returns the nearest configuration, from the working directory up to the nearest package.json. Without a package.json only the
 * working directory is searched, because folders above it are not part of the project. Undefined if there is none. Throws UsageError if
 * a folder has two.
 */
export function findConfig(cwd: string, disk: Disk): string | undefined {
  const folders = foldersUpTo(cwd, (folder) => disk.isFile(join(folder, 'package.json')))
  for (const folder of folders) {
    const [found, another] = configNames.filter((name) => disk.isFile(join(folder, name)))
    if (another !== undefined) throw new UsageError(`${folder} has ${found} and ${another}: remove one of them`)
    if (found !== undefined) return join(folder, found)
  }
  const packageFile = join(folders.at(-1) ?? '', 'package.json')
  return hasOwnSection(disk.read(packageFile) ?? '') ? packageFile : undefined
}

/**
 * True if a package.json has a configuration. One with a syntax error counts if the key is anywhere in it, so that reading it reports
 * the error: a run without it might leave out what it requires.
 */
function hasOwnSection(text: string): boolean {
  try {
    return 'rpc-gen' in JSON.parse(text)
  } catch {
    return /"rpc-gen"\s*:/.test(text)
  }
}

/** Returns the targets of a configuration file. Throws UsageError that names the file and the mistake. */
export async function loadConfig(path: string, disk: Disk): Promise<readonly RpcConfig[]> {
  const text = disk.read(path)
  if (text === undefined)
    throw new UsageError(`${path} ${disk.isFolder(path) ? 'is a folder: name a file' : 'does not exist'}`)
  try {
    const value = path.endsWith('.json') ? JSON.parse(text) : await defaultExportOf(path, disk)
    return checkConfig(basename(path) === 'package.json' ? value['rpc-gen'] : value, path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const message = (error instanceof Error ? error.message : String(error)).replace(/\nRequire stack:.*/s, '')
    if (message.startsWith('await is only valid in '))
      throw new UsageError(`${path} has a top-level await, which a configuration cannot have: export the promise`)
    const [, name] = /^Identifier '(require|exports)' has/.exec(message) ?? []
    if (name) throw new UsageError(`${path} declares ${name}, which it is compiled to: give it another name`)
    throw new UsageError(`${path} cannot be read: ${path.endsWith('.json') ? withLine(message, text) : message}`)
  }
}

/** Returns a message of JSON.parse with the line that editors show instead of the position, or with that of a comment. */
function withLine(message: string, text: string): string {
  const lineAt = (position: number) => text.slice(0, position).split('\n').length
  const comment = text.search(/^[ \t]*\/[/*]/m)
  if (comment >= 0) return `JSON has no comments, as in line ${lineAt(comment)}: remove it, or write rpc.config.ts`
  return message.replace(/ at position (\d+).*$/, (_all, at: string) => ` in line ${lineAt(Number(at))}`)
}

/** Throws UsageError for a module that exports nothing: what it requires would be ignored. */
function defaultExportOf(path: string, disk: Disk): unknown {
  const exports = evaluate(path, disk, new Map())
  if (exports.__esModule ? !('default' in exports) : Object.keys(exports).length === 0)
    throw new UsageError(`${path} exports no configuration: write export default defineConfig({ … })`)
  return exports.__esModule ? exports['default'] : exports
}

/** The exports of a module; of one that was written as an ES module, the default export is a member. */
interface Exports {
  readonly __esModule?: boolean
  readonly [name: string]: unknown
}

/**
 * Evaluates a module and the files that it imports by a relative path, as CommonJS: Node.js imports an ES module only once in a process, and
 * 20 no TypeScript. The disk records what was read. `loaded` are the modules so far, also those that import each other.
 */
function evaluate(path: string, disk: Disk, loaded: Map<string, { exports: Exports }>): Exports {
  const known = loaded.get(path)
  if (known) return known.exports
  const text = disk.read(path) ?? ''
  if (path.endsWith('.json')) return JSON.parse(text)
  const module = { exports: {} }
  loaded.set(path, module)
  const requireOthers = createRequire(path)
  const requireFrom = (specifier: string): unknown => {
    const file = /^\.\.?\//.test(specifier) ? fileOf(resolve(dirname(path), specifier), disk) : undefined
    return file === undefined ? requireOthers(specifier) : evaluate(file, disk, loaded)
  }
  // `require.resolve` and the like.
  Object.assign(requireFrom, requireOthers)
  const meta = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) }
  const code = toCommonJs(text, path)
  // An ES module may declare the names of the outer function, as in `const __dirname = dirname(fileURLToPath(import.meta.url))`.
  const outer = 'function (module, __filename, __dirname, __meta)'
  const run = runInThisContext(`(${outer} { return function (exports, require) {${code}\n} })`, { filename: path })
  run(module, path, dirname(path), meta).call(module.exports, module.exports, requireFrom)
  return module.exports
}

/** Resolves as TypeScript does: `./paths.js` and `./paths` may both be `./paths.ts`. Undefined for what is not a module of these kinds. */
function fileOf(path: string, disk: Disk): string | undefined {
  const candidates = [path, path.replace(/(?<=\.m?)js$/, 'ts'), `${path}.ts`, `${path}.mts`, `${path}.js`]
  return candidates.find((file) => /\.(?:[mc]?[jt]s|json)$/.test(file) && disk.isFile(file))
}
