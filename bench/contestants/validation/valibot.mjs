// valibot's `is`; it builds a copy all the same.
import { is } from 'valibot'
import { schemas } from '../../work/valibot.mjs'

export async function start() {
  return { accepts: (name) => (value) => is(schemas[name], value) }
}
