// The base: typia's `createIs`, from its own build step.
const functions = { point: 'isPoint', order: 'isOrder', shape: 'isShape' }

export async function start(project) {
  const compiled = await project.user('typia.js')
  return { accepts: (name) => compiled[functions[name]] }
}
