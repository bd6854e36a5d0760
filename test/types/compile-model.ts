import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Model } from '../../generator/model/model.js'
import { moduleText } from '../../generator/plan/module.js'
import type { Manifest } from '../../runtime/call/types.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Generates and imports the module of a model; each procedure returns its argument. */
export async function compileModel(model: Model): Promise<{ readonly folder: string; readonly procedures: Manifest }> {
  const folder = mkdtempSync(join(tmpdir(), 'rpc-gen-model-'))
  folders.push(folder)
  const functions = model.procedures.map(({ name }) => `export const ${name} = (value: unknown) => value as never`)
  writeFileSync(join(folder, 'functions.ts'), `${functions.join('\n')}\n`)
  writeFileSync(join(folder, 'rpc.gen.ts'), moduleText(model, { specifier: (module) => module, methods: false }))
  const module: { procedures: Manifest } = await import(join(folder, 'rpc.gen.ts'))
  return { folder, procedures: module.procedures }
}
