// The cost in a call: the result is checked, copied with the declared members only, and written.
export async function start(project) {
  const [{ procedures }, { jsonrpc }] = await Promise.all([
    project.user('procedures.gen.js'),
    project.runtime('jsonrpc/codec.js'),
  ])
  const call = { id: '1' }
  return {
    write(name) {
      const procedure = procedures[name]
      const { type } = procedure.returns
      return (value) => jsonrpc.encodeResult(call, type, procedure.write(value, jsonrpc.wires.encode))
    },
  }
}
