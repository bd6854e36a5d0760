// The cost in a call: the arguments are checked and copied, with the declared members only, in one pass.
export async function start(project) {
  const [{ procedures }, { jsonWires }] = await Promise.all([
    project.user('procedures.gen.js'),
    project.runtime('jsonrpc/scalars.js'),
  ])
  return {
    accepts(name) {
      const procedure = procedures[name]
      return (value) => {
        try {
          procedure.read([value], jsonWires.decode)
          return true
        } catch {
          return false
        }
      }
    },
  }
}
