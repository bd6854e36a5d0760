// valibot's `is`, which builds a copy too.
import { is, safeParse } from 'valibot'
import { schemas } from '../../work/valibot.mjs'

export async function start() {
  return {
    accepts: (name) => (value) => is(schemas[name], value),
    issues: (name) => (value) => safeParse(schemas[name], value).issues.length,
  }
}
