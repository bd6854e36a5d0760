// The codec alone, like the base: decode, call, encode by the declared type, without checks.
export async function start(project) {
  const [{ xmlrpc }, { completeLimits }, { procedures }, functions] = await Promise.all([
    project.runtime('xmlrpc/codec.js'),
    project.runtime('call/limits.js'),
    project.user('procedures.gen.js'),
    project.user('procedures.js'),
  ])
  const limits = completeLimits()
  const respond = (text) => {
    const { entries, batch } = xmlrpc.decode(text, limits)
    const [call] = entries
    const value = functions[call.method](...call.params)
    return xmlrpc.encodeMessage({ batch }, [xmlrpc.encodeResult(call, procedures[call.method].returns.type, value)])
  }
  return { format: 'xml', respond }
}
