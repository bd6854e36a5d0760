// zod builds a copy.
import { schemas } from '../../work/zod.mjs'

export async function start() {
  return {
    accepts: (name) => (value) => schemas[name].safeParse(value).success,
    issues: (name) => (value) => schemas[name].safeParse(value).error.issues.length,
  }
}
