// The procedures of a module that sections/growth.mjs has generated: the item has their number.
import { argv } from 'node:process'
import { answererOf } from './rpc-gen.mjs'

export async function start(project) {
  const size = argv.at(-1).split(' ')[1]
  const { procedures } = await project.user(`grown${size}.gen.js`)
  return { answer: await answererOf(project, procedures) }
}
