import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

/** What a user does with a package of ours: generates from procedures.ts, and has JavaScript made of it all. */
export async function compile(folder) {
  const user = mkdtempSync(join(tmpdir(), 'rpc-gen-bench-'))
  mkdirSync(join(user, 'node_modules'))
  symlinkSync(resolve(folder), join(user, 'node_modules/rpc-gen'), 'junction')
  writeFileSync(join(user, 'package.json'), '{"type":"module"}')
  const options = { module: 'nodenext', strict: true, noEmit: true }
  writeFileSync(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  copyFileSync(fileURLToPath(new URL('procedures.ts', import.meta.url)), join(user, 'procedures.ts'))
  const { generate } = await import(pathToFileURL(resolve(folder, 'dist/generator/index.js')).href)
  const { files, diagnostics } = await generate({ paths: ['procedures.ts'], out: 'rpc.gen.ts', cwd: user })
  if (diagnostics.length > 0) throw new Error(diagnostics[0].message)
  for (const { path, text } of files) writeFileSync(path, text)
  transpile(user, 'procedures')
  transpile(user, 'rpc.gen')
  return user
}

function transpile(user, name) {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  const text = readFileSync(join(user, `${name}.ts`), 'utf8')
  writeFileSync(join(user, `${name}.js`), ts.transpileModule(text, { compilerOptions }).outputText)
}
