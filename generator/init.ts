import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from './options.js'
import { replaceFiles } from './replace.js'
import { print } from './report.js'

type Section = Record<string, string>

/** The members of a package.json that are read and written. */
interface PackageJson {
  name?: string
  private?: boolean
  type?: string
  scripts?: Section
  dependencies?: Section
  devDependencies?: Section
  peerDependencies?: Section
}

/** The files of the smallest set-up, by their path. */
const files: Readonly<Record<string, string>> = {
  'rpc.config.json': '{ "paths": "src/procedures", "out": "src/rpc.gen.ts" }\n',
  'src/procedures/greet.ts': `/**
 * Returns a greeting.
 *
 * @param name The name of the person to greet
 * @returns The greeting
 * @rpc
 */
export function greet(name: string): string {
  return \`Hello, \${name}\`
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "skipLibCheck": true,
    "types": ["node"],
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"]
}
`,
  'src/rpc.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures } from './rpc.gen.js'

const server = new RpcServer({ procedures, docs: true })
const app = new Hono().route('/rpc', server.router())

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) }, ({ port }) => {
  console.log(\`http://127.0.0.1:\${port}/rpc\`)
})
`,
}

/** Configurations that make rpc.config.json unnecessary. */
const configurations = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs']

/**
 * Writes the smallest working set-up into a folder: what package.json lacks, a configuration, a procedure and an app
 * on Node. Existing files are kept; there is no prompt, and nothing is installed or run.
 *
 * @throws UsageError if package.json is not a JSON object; nothing has been written then
 */
export function init(folder: string, argv: readonly string[]): void {
  if (argv.length > 0) throw new UsageError(`init has no arguments: ${argv.join(' ')}`)
  const path = join(folder, 'package.json')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const found = text === undefined ? newPackage(folder) : parsePackage(text)
  const [completed, start, dev] = completePackage(found)
  const isConfigured = 'rpc-gen' in found || configurations.some((name) => existsSync(join(folder, name)))
  const names = Object.keys(files).filter((name) => !(isConfigured && name === 'rpc.config.json'))
  const missing = names.filter((name) => !existsSync(join(folder, name)))
  const isComplete = text !== undefined && isDeepStrictEqual(completed, found)
  const indent = /^[ \t]+(?=")/m.exec(text ?? '')?.[0] ?? 2
  replaceFiles([
    ...missing.map((name) => ({ path: join(folder, name), text: files[name] ?? '' })),
    ...(isComplete ? [] : [{ path, text: `${JSON.stringify(completed, null, indent)}\n` }]),
  ])
  const lines = names.map((name) => `${missing.includes(name) ? 'wrote' : 'kept'} ${name}`)
  lines.push(`${isComplete ? 'kept' : text === undefined ? 'wrote' : 'completed'} package.json`)
  const next = ['npm install', `npm run ${start}`, `npm run ${dev} (restarts when a file changes)`]
  print('stdout', [...lines, '', 'Next:', ...next.map((line) => `  ${line}`)])
}

function newPackage(folder: string): PackageJson {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return { name: name || 'rpc', private: true, type: 'module' }
}

function parsePackage(text: string): PackageJson {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (error) {
    throw new UsageError(`package.json: ${(error as Error).message}`)
  }
  throw new UsageError('package.json: expected an object')
}

/** Returns the package.json with what it lacks, and the names of the scripts that serve. */
function completePackage(found: PackageJson): [completed: PackageJson, start: string, dev: string] {
  const { dependencies, devDependencies, peerDependencies, scripts = {} } = found
  const isListed = (name: string) => [dependencies, devDependencies, peerDependencies].some((each) => each?.[name])
  const missing = (wanted: Section) => Object.fromEntries(Object.entries(wanted).filter(([name]) => !isListed(name)))
  const commands = { start: 'rpc-gen && tsx src/rpc.ts', dev: 'rpc-gen && tsx watch src/rpc.ts' }
  const nameOf = (name: keyof typeof commands) => {
    return [undefined, commands[name]].includes(scripts[name]) ? name : `rpc:${name}`
  }
  const [start, dev] = [nameOf('start'), nameOf('dev')]
  const completed = {
    ...found,
    scripts: { [start]: commands.start, [dev]: commands.dev, ...scripts },
    dependencies: { ...dependencies, ...missing(needed().dependencies) },
    devDependencies: { ...devDependencies, ...missing(needed().devDependencies) },
  }
  return [completed, start, dev]
}

/** The ranges that this version of rpc-gen was developed with. */
function needed(): Required<Pick<PackageJson, 'dependencies' | 'devDependencies'>> {
  const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const developed = (name: string) => `^${own.devDependencies[name]}`
  return {
    dependencies: {
      '@hono/node-server': developed('@hono/node-server'),
      hono: developed('hono'),
      'rpc-gen': `^${own.version}`,
    },
    devDependencies: {
      '@types/node': developed('@types/node'),
      'ts-morph': developed('ts-morph'),
      tsx: '^4.21.0',
      typescript: developed('typescript'),
    },
  }
}
