import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Model } from '../../generator/model/model.js'
import type { Manifest } from '../../runtime/call/types.js'
import { moduleText } from '../../templates/typescript/module.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** Generates and imports the module of a model; each procedure returns its argument. */
export async function compileModel(model: Model): Promise<{ readonly folder: string; readonly procedures: Manifest }> {
  const folder = temporaryFolder('model')
  const functions = model.procedures.map(({ name }) => `export const ${name} = (value: unknown) => value as never`)
  writeFileSync(join(folder, 'functions.ts'), `${functions.join('\n')}\n`)
  writeFileSync(join(folder, 'rpc.gen.ts'), moduleText(model, { specifier: (module) => module, methods: false }))
  const module: { procedures: Manifest } = await import(join(folder, 'rpc.gen.ts'))
  return { folder, procedures: module.procedures }
}
