// The base: typia's `createIs`, from its own build step; of invalid values its `createValidate`.
const functions = { point: 'isPoint', order: 'isOrder', shape: 'isShape' }

export async function start(project) {
  const compiled = await project.user('typia.js')
  return {
    accepts: (name) => compiled[functions[name]],
    issues: (name) => (value) => compiled[functions[name].replace('is', 'validate')](value).errors.length,
  }
}
