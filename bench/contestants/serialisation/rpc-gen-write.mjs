// The cost of the codec alone.
export async function start(project) {
  const [{ procedures }, { jsonrpc }] = await Promise.all([
    project.user('procedures.gen.js'),
    project.runtime('jsonrpc/codec.js'),
  ])
  const call = { id: '1' }
  return { write: (name) => (value) => jsonrpc.encodeResult(call, procedures[name].returns.type, value) }
}
