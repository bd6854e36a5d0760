// What a call costs: a copy with the declared members only, then the generated predicate over it.
export async function start(project) {
  const [{ procedures }, { jsonWire }] = await Promise.all([
    project.user('procedures.gen.js'),
    project.runtime('jsonrpc/scalars.js'),
  ])
  return {
    accepts(name) {
      const { accepts, revive } = procedures[name]
      return (value) => accepts(revive([value], jsonWire))
    },
  }
}
