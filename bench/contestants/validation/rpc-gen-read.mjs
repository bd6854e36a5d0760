// The cost in a call: the arguments are checked and copied, with the declared members only, in one pass. Of invalid ones a second pass finds the
// issues, of which an error lists at most twenty.
export async function start(project) {
  const [{ procedures }, { jsonWires }, { argumentsSchema }] = await Promise.all([
    project.user('procedures.gen.js'),
    project.runtime('jsonrpc/scalars.js'),
    project.package('standard-schema'),
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
    issues(name) {
      const { validate } = argumentsSchema(procedures[name])['~standard']
      return (value) => validate([value]).issues.length
    },
  }
}
