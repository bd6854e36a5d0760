import { enveloped } from '../../adapters/serialisation.mjs'

const functions = { point: 'stringifyPoint', order: 'stringifyOrder', shape: 'stringifyShape' }

export async function start(project) {
  const compiled = await project.user('typia.js')
  return {
    write(name) {
      const stringify = compiled[functions[name]]
      return (value) => enveloped(stringify(value))
    },
  }
}
