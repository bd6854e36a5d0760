import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const schema: object = JSON.parse(readFileSync(new URL('response.schema.json', import.meta.url), 'utf8'))

/** True if a JSON response matches response.schema.json. */
export const judgeResponse: ValidateFunction = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  ownProperties: true,
}).compile(schema)
