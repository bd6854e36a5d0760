import { Ajv } from 'ajv'
import { schemas } from '../../work/json-schema.mjs'

export async function start() {
  const ajv = new Ajv({ discriminator: true })
  const all = new Ajv({ discriminator: true, allErrors: true })
  return {
    accepts: (name) => ajv.compile(schemas[name]),
    issues(name) {
      const validate = all.compile(schemas[name])
      return (value) => (validate(value) ? 0 : validate.errors.length)
    },
  }
}
