import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const options = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
}

/** The runtime and the wire fixtures' procedures as JavaScript in a separate folder, for a separate process. */
export function compileRuntime() {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-memory-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const files = readdirSync(join(root, 'runtime'), { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((name) => name.endsWith('.ts'))) compile(join('runtime', name), folder)
  for (const name of ['procedures.ts', 'procedures.gen.ts']) compile(join('fixtures/wire', name), folder)
  return folder
}

function compile(path, folder) {
  const { outputText } = ts.transpileModule(readFileSync(join(root, path), 'utf8'), { compilerOptions: options })
  const text = outputText
    .replaceAll(/(['"])rpc-gen\/codegen\/v1\1/g, "'../../runtime/codegen.js'")
    .replaceAll(/(['"])rpc-gen\1/g, "'../../runtime/index.js'")
  const out = join(folder, path.replace(/ts$/, 'js'))
  mkdirSync(dirname(out), { recursive: true })
  writeFileSync(out, text)
}
