// The codec alone, as the base does it: decode, call, encode by the declared type, with nothing checked.
export const format = 'xml'

export async function start(load) {
  const [{ xmlrpc }, { completeLimits }, { procedures }, functions] = await Promise.all([
    load.package('dist/runtime/xmlrpc/codec.js'),
    load.package('dist/runtime/limits.js'),
    load.user('rpc.gen.js'),
    load.user('procedures.js'),
  ])
  const limits = completeLimits()
  return (text) => {
    const { entries, batch } = xmlrpc.decode(text, limits)
    const [call] = entries
    const value = functions[call.method](...call.params)
    return xmlrpc.encodeMessage({ batch }, [xmlrpc.encodeResult(call, procedures[call.method].returns.type, value)])
  }
}
