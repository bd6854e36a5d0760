import { Ajv } from 'ajv'
import { schemas } from '../../work/json-schema.mjs'

export async function start() {
  const ajv = new Ajv({ discriminator: true })
  return { accepts: (name) => ajv.compile(schemas[name]) }
}
