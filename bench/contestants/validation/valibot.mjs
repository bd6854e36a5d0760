// valibot's `is`, which builds a copy too.
import { is } from 'valibot'
import { schemas } from '../../work/valibot.mjs'

export async function start() {
  return { accepts: (name) => (value) => is(schemas[name], value) }
}
