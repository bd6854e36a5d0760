import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GenerateOptions } from 'rpc-gen/generator'
import type { Manifest } from '../../runtime/call/types.js'
import { generate } from './generate.js'
import { paths, root } from './paths.js'

const compilerOptions = {
  target: 'ES2023',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  typeRoots: [join(root, 'node_modules/@types')],
  types: ['node'],
  paths,
}

/** Writes a module into a separate folder, with a tsconfig that resolves this package. */
export function prepare(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  writeFileSync(join(folder, name), text)
}

/**
 * Compiles a module in a separate folder, which keeps the outputs, `rpc.gen.ts` and those in `more`.
 * Returns the procedures; throws an Error with the diagnostics if there are any.
 */
export async function compileModule(
  folder: string,
  name: string,
  text: string,
  more: Pick<GenerateOptions, 'client'> = {},
): Promise<Manifest> {
  prepare(folder, name, text)
  const { files, diagnostics } = await generate({ ...more, cwd: folder, paths: [name], out: 'rpc.gen.ts' })
  if (files.length === 0) throw new Error(JSON.stringify(diagnostics))
  for (const file of files) writeFileSync(file.path, file.text)
  const generated: { procedures: Manifest } = await import(join(folder, 'rpc.gen.ts'))
  return generated.procedures
}
