/** Text to text with all that a server does but HTTP: limits, lookup, validation, context, encoding by type. */
export async function answerer(project, server, protocol) {
  const [{ [protocol]: codec }, { replyTo }, { settingsOf }] = await Promise.all([
    project.runtime(`${protocol}/codec.js`),
    project.runtime('reply.js'),
    project.runtime('server.js'),
  ])
  const settings = settingsOf(server)
  const request = () => undefined
  // The exchange is one of an endpoint's; nothing here reads the request.
  return (text) =>
    replyTo(codec.decode(text, settings.limits), {
      settings,
      transport: 'http',
      codec,
      authorises: true,
      honoContext: undefined,
      request,
      sequential: false,
    })
}
