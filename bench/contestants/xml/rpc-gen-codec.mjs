// The codec alone, like the base: decode, call, encode by the declared type, without checks.
export async function start(project) {
  const [{ xmlrpc }, { procedures }, functions] = await Promise.all([
    project.runtime('xmlrpc/codec.js'),
    project.user('procedures.gen.js'),
    project.user('procedures.js'),
  ])
  const limits = { batch: 1000, depth: 256 }
  const respond = (text) => {
    const [call] = xmlrpc.decode(text, limits).entries
    return xmlrpc.encodeResult(call, functions[call.method](...call.params), procedures[call.method])
  }
  return { format: 'xml', respond }
}
