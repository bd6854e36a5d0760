// A user's project: the package as it would be installed, procedures, and the generated modules, as JavaScript.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { openProject } from './open-project.mjs'
import { transformTypia } from './typia.mjs'

const procedures = fileURLToPath(new URL('../work/procedures.ts', import.meta.url))

/**
 * A user's project with a package of rpc-gen. Its dist/ is copied, so that a build in the meantime does not interfere.
 */
export async function makeProject(source) {
  const folder = installPackage(source)
  await compileRuntime(source, folder)
  await generateModule(folder, 'procedures', readFileSync(procedures, 'utf8'))
  writeFileSync(join(folder, 'typia.js'), transformTypia(folder, readFileSync(procedures, 'utf8')))
  return { source, folder }
}

/** A folder in which `rpc-gen` and `hono` can be imported. */
export function installPackage(source) {
  const from = resolve(source)
  if (!existsSync(join(from, 'dist/runtime/index.js'))) throw new Error(`${from} is not built: npm run build first`)
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-beside-'))
  const own = join(folder, 'node_modules/rpc-gen')
  mkdirSync(own, { recursive: true })
  cpSync(join(from, 'dist'), join(own, 'dist'), { recursive: true })
  cpSync(join(from, 'package.json'), join(own, 'package.json'))
  symlinkSync(join(from, 'node_modules'), join(own, 'node_modules'), 'junction')
  symlinkSync(join(from, 'node_modules/hono'), join(folder, 'node_modules/hono'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"type":"module","sideEffects":false}')
  const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}

/** The modules of the runtime, which a package contains as bundles only, for contestants that measure a part of it. */
async function compileRuntime(source, folder) {
  const from = join(resolve(source), 'runtime')
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  await build({
    entryPoints: names.map((name) => join(from, name)),
    outbase: from,
    outdir: join(folder, 'runtime'),
    tsconfigRaw: {},
    logLevel: 'error',
  })
}

/** Writes `name.ts`, generates `name.gen.ts` from it, and makes JavaScript of both. */
export async function generateModule(folder, name, text) {
  writeFileSync(join(folder, `${name}.ts`), text)
  const { generate } = await openProject(folder).user('node_modules/rpc-gen/dist/generator/index.js')
  const { files, diagnostics } = await generate({ paths: [`${name}.ts`], out: `${name}.gen.ts`, cwd: folder })
  if (diagnostics.length > 0) throw new Error(diagnostics[0].message)
  for (const { path, text: generated } of files) writeFileSync(path, generated)
  transpile(folder, name)
  transpile(folder, `${name}.gen`)
}

function transpile(folder, name) {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  const text = readFileSync(join(folder, `${name}.ts`), 'utf8')
  writeFileSync(join(folder, `${name}.js`), ts.transpileModule(text, { compilerOptions }).outputText)
}

export function removeProject({ folder }) {
  rmSync(folder, { recursive: true, force: true })
}
