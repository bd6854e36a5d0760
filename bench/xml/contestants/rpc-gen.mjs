// Text to text with all that a server does but HTTP: limits, lookup, validation, context, encoding by type.
export const format = 'xml'

export async function start(load) {
  const [{ xmlrpc }, { replyTo }, { settingsOf }, { RpcServer }, { procedures }] = await Promise.all([
    load.package('dist/runtime/xmlrpc/codec.js'),
    load.package('dist/runtime/reply.js'),
    load.package('dist/runtime/server.js'),
    load.package('dist/runtime/index.js'),
    load.user('rpc.gen.js'),
  ])
  return answerer(xmlrpc, replyTo, settingsOf(new RpcServer({ procedures })))
}

/** The exchange is one of an endpoint's; nothing here reads the request. */
export function answerer(codec, replyTo, settings) {
  return (text) =>
    replyTo(codec.decode(text, settings.limits), {
      settings,
      transport: 'http',
      codec,
      authorises: true,
      honoContext: undefined,
      request: () => undefined,
      sequential: false,
    })
}
