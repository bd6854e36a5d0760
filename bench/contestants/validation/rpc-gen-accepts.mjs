// The generated predicate alone.
export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  return {
    accepts(name) {
      const { accepts } = procedures[name]
      return (value) => accepts([value])
    },
  }
}
