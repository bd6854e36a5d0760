import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { install } from '../support/install.js'
import { skipped } from '../support/skip.js'

type Judge = ((value: unknown) => boolean) & { readonly errors?: unknown }

/** True if a JSON response matches response.schema.json; undefined if ajv cannot be installed, which is printed. */
export const judgeResponse: Judge | undefined = await compileSchema()

async function compileSchema(): Promise<Judge | undefined> {
  if (skipped('responses by a JSON Schema', await install(import.meta.dirname))) return undefined
  const require = createRequire(import.meta.url)
  const { default: Ajv } = require('ajv/dist/2020.js') as { default: new (options: object) => Ajv }
  const schema: object = JSON.parse(readFileSync(new URL('response.schema.json', import.meta.url), 'utf8'))
  return new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, ownProperties: true }).compile(schema)
}

interface Ajv {
  compile(schema: object): Judge
}
