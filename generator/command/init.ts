// `rpc-gen init`: writes the smallest set-up, a procedure with a test, and adds what package.json lacks:
//
//   an empty folder  →  src/procedures/greet.ts, rpc.config.json, "dev": "rpc-gen dev -- tsx src/rpc.ts", …
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../diagnostics/diagnostic.js'
import { replaceFiles } from '../disk/replace.js'
import { foldersFrom } from '../paths.js'
import { print } from './report.js'

type Section = Record<string, string>

/** The members of a package.json that are read and written. */
interface PackageJson {
  name?: string
  version?: string
  private?: boolean
  type?: string
  scripts?: Section
  dependencies?: Section
  devDependencies?: Section
  peerDependencies?: Section
}

/** The procedure of the set-up, and its test. */
const [example, exampleTest] = ['src/procedures/greet.ts', 'src/greet.test.ts']

/** Returns the files of the smallest set-up by their path, for a project of ES modules or of CommonJS. */
function starterFiles(isModule: boolean): Readonly<Record<string, string>> {
  return {
    'rpc.config.json': '{ "paths": "src/procedures", "out": "src/rpc.gen.ts" }\n',
    [example]: `/**
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
    [exampleTest]: `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { server } from './rpc.gen.js'

test('greet', async () => {
  equal(await server.call('greet', ['Ada']), 'Hello, Ada')
})
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
    'tsconfig.build.json': buildConfig,
    'src/rpc.ts': appOf(isModule),
    '.gitignore': 'node_modules/\ndist/\n',
  }
}

/** With all that `npm start` relies on: an existing tsconfig.json may specify something else. */
const buildConfig = `{
  "extends": "./tsconfig.json",
  "compilerOptions": {
    "types": ["node"],
    "noEmit": false,
    "rootDir": "src",
    "outDir": "dist"
  },
  "include": ["src"],
  "exclude": ["src/**/*.test.ts"]
}
`

/** Returns an app on Node, whose API has the name and the version of the package. */
function appOf(isModule: boolean): string {
  const [imports, manifest] = isModule
    ? ['', "new URL('../package.json', import.meta.url)"]
    : ["import { join } from 'node:path'\n", "join(__dirname, '../package.json')"]
  return `import { readFileSync } from 'node:fs'
${imports}import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures } from './rpc.gen.js'

const { name = 'rpc', version = '0.0.0' } = JSON.parse(readFileSync(${manifest}, 'utf8'))
const server = new RpcServer({ procedures, docs: true, info: { title: name, version } })
const app = new Hono().route('/rpc', server.router())

const port = Number(process.env['PORT'] ?? 3000)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, ({ port }) => {
  console.log(\`http://127.0.0.1:\${port}/rpc\`)
}).on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(\`Port \${port} is in use. Set the variable PORT to choose another one, for instance to \${port + 1}.\`)
  process.exit(1)
})
`
}

/** Returns a script that fails with a message unless a condition is true, in every shell. */
function requiring(condition: string, message: string): string {
  return `node -e "${condition} || (console.error('${message}'), process.exit(1))"`
}

/** What a package.json lacks if it has no script of that name. */
const scripts = {
  build: 'rpc-gen && tsc --project tsconfig.build.json',
  dev: 'rpc-gen dev -- tsx src/rpc.ts',
  prestart: requiring("fs.existsSync('dist/rpc.js')", 'dist/rpc.js does not exist: run npm run build first'),
  start: 'node dist/rpc.js',
  pretest: requiring("fs.readdirSync('src').some((name) => name.endsWith('.test.ts'))", 'src has no *.test.ts yet'),
  test: 'rpc-gen && tsx --test src/*.test.ts',
  check: 'rpc-gen --check && tsc --noEmit',
} as const

/** The script `test` that `npm init` writes. It is replaced. */
const noTest = 'echo "Error: no test specified" && exit 1'

/** Configurations that make rpc.config.json unnecessary. */
const configurations = ['rpc.config.ts', 'rpc.config.js', 'rpc.config.mjs']

/**
 * Writes the smallest working set-up into a folder: what package.json lacks, a configuration, a procedure with a test and an app
 * on Node. Existing files are kept; there is no prompt, and nothing is installed or run.
 *
 * @throws UsageError if package.json is not a JSON object; nothing has been written then
 */
export function init(folder: string, argv: readonly string[]): void {
  if (argv.length > 0) throw new UsageError(`init has no arguments: ${argv.join(' ')}`)
  const has = (name: string) => existsSync(join(folder, name))
  const path = join(folder, 'package.json')
  const text = has('package.json') ? readFileSync(path, 'utf8') : undefined
  const found = text === undefined ? newPackage(folder) : parsePackage(text.replace(/^\uFEFF/, ''))
  const [completed, nameOf] = completePackage(found)
  const isConfigured = 'rpc-gen' in found || configurations.some(has)
  const files = starterFiles(found.type === 'module')
  const names = Object.keys(files).filter((name) => {
    if (name === 'rpc.config.json') return !isConfigured
    // A procedure of one's own has no test here.
    return name !== exampleTest || has(exampleTest) || !has(example)
  })
  const missing = names.filter((name) => !has(name))
  const isComplete = text !== undefined && isDeepStrictEqual(completed, found)
  const indent = /^[ \t]+(?=")/m.exec(text ?? '')?.[0] ?? 2
  const written = `${JSON.stringify(completed, null, indent)}\n`
  replaceFiles([
    ...missing.map((name) => ({ path: join(folder, name), text: files[name] ?? '' })),
    ...(isComplete ? [] : [{ path, text: text?.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written }]),
  ])
  const lines = names.map((name) => `${missing.includes(name) ? 'wrote' : 'kept'} ${name}`)
  lines.push(`${isComplete ? 'kept' : text === undefined ? 'wrote' : 'completed'} package.json`)
  const manager = managerOf(folder)
  const next = [`${manager} install`, `${manager} run ${nameOf('dev')} (generates and restarts when a file changes)`]
  print('stdout', [...lines, '', 'Next:', ...next.map((line) => `  ${line}`)])
}

/** Returns the package manager whose lock file is nearest. */
function managerOf(folder: string): string {
  const locks = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', bun: 'bun.lock' }
  const managers = Object.entries(locks)
  const found = foldersFrom(folder).flatMap((each) => managers.filter(([, lock]) => existsSync(join(each, lock))))
  return found[0]?.[0] ?? 'npm'
}

function newPackage(folder: string): PackageJson {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z\d-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return { name: name || 'rpc', version: '0.1.0', private: true, type: 'module' }
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

/** The name of a script in package.json: with `rpc:` if a script of that name does something else. */
type ScriptName = (name: keyof typeof scripts) => string

/** Returns the package.json with what it lacks, and the names of the scripts. */
function completePackage(found: PackageJson): [completed: PackageJson, nameOf: ScriptName] {
  const { dependencies, devDependencies, peerDependencies, scripts: existing = {} } = found
  const own = Object.fromEntries(Object.entries(existing).filter(([, script]) => script !== noTest))
  const isListed = (name: string) => [dependencies, devDependencies, peerDependencies].some((each) => each?.[name])
  const missing = (wanted: Section) => Object.fromEntries(Object.entries(wanted).filter(([name]) => !isListed(name)))
  const nameOf: ScriptName = (name) => {
    const [, before = '', main = name] = /^(pre)(start|test)$/.exec(name) ?? []
    const isOwn = [name, main].some((each) => own[each] !== undefined && own[each] !== scripts[each as typeof name])
    return isOwn ? `${before}rpc:${main}` : name
  }
  const names = Object.keys(scripts) as (keyof typeof scripts)[]
  const completed = {
    ...found,
    scripts: { ...Object.fromEntries(names.map((name) => [nameOf(name), scripts[name]])), ...own },
    dependencies: { ...dependencies, ...missing(needed().dependencies) },
    devDependencies: { ...devDependencies, ...missing(needed().devDependencies) },
  }
  return [completed, nameOf]
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
