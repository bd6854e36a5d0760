// typia's `createIsClone`, from its own build step: it checks a value and copies the declared members, as a call of rpc-gen does.
const functions = { point: 'clonePoint', order: 'cloneOrder', shape: 'cloneShape' }

export async function start(project) {
  const compiled = await project.user('typia.js')
  return {
    accepts(name) {
      const clone = compiled[functions[name]]
      return (value) => clone(value) !== null
    },
  }
}
