import build from 'fast-json-stringify'
import { enveloped } from '../../adapters/serialisation.mjs'
import { schemas } from '../../work/json-schema.mjs'

export async function start() {
  return {
    write(name) {
      const stringify = build(schemas[name])
      return (value) => enveloped(stringify(value))
    },
  }
}
