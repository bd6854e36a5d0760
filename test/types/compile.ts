import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RpcServer } from 'rpc-gen'
import type { Diagnostic } from 'rpc-gen/generator'
import type { Manifest } from '../../runtime/call/types.js'
import { formatPath } from '../../runtime/values/describe.js'
import type { ValidationIssue } from '../../runtime/values/issue.js'
import { compile } from '../support/compiler.js'
import { generate } from '../support/generate.js'
import { responseTo } from '../support/json-rpc.js'
import { compilerOptions } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const at = (path: string) => join(import.meta.dirname, path)

/** A source in a separate folder, where the packages of this one are installed. */
function write(source: string): string {
  const cwd = temporaryFolder('types')
  symlinkSync(at('node_modules'), join(cwd, 'node_modules'), 'junction')
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(cwd, 'source.ts'), source)
  return cwd
}

/** The diagnostics for a rejected source. */
export async function rejectionsOf(source: string): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await generate({ cwd: write(source), paths: ['source.ts'] })
  return diagnostics
}

/** The outcome of a call: its result, or the first issue with its parameters. */
export type Call = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** A source, compiled and served: TypeScript's diagnostics for both files, and how to call it over JSON. */
export async function serve(source: string): Promise<{ errors: readonly string[]; call: Call }> {
  const cwd = write(source)
  const { files, diagnostics } = await generate({ cwd, paths: ['source.ts'] })
  const [file] = files
  if (!file) throw new Error(JSON.stringify(diagnostics))
  writeFileSync(file.path, file.text)
  const errors = compile(cwd)
  const module: { procedures: Manifest } = await import(file.path)
  const router = new RpcServer({ procedures: module.procedures, onError: () => {} }).router()
  // The runtime's sources are in the program too: they have separate tests.
  return { errors: errors.filter((line) => /^(?:source|rpc\.gen)\.ts/.test(line)), call }

  async function call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const { result, error } = await responseTo(router, method, params)
    const [issue] = (error?.data ?? []) as ValidationIssue[]
    return error
      ? issue
        ? `${formatPath(issue.path)}: ${issue.expected}, not ${issue.received}`
        : error.message
      : result
  }
}

/** The types that the declarations of a package export, but the generic ones. */
export function exportedTypes(declarations: string): readonly string[] {
  const text = readFileSync(at(`node_modules/${declarations}`), 'utf8')
  const names = [...text.matchAll(/^export (?:declare )?(?:interface|type) (\w+)(?![\w<])/gm)].map(
    ([, name = '']) => name,
  )
  return [...new Set(names)].sort()
}
