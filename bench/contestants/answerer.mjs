/** Text to text with all that a server does but HTTP: limits, lookup, validation, context, encoding by type. */
export async function answerer(_project, server, protocol) {
  const options = { protocol: protocol === 'jsonrpc' ? 'json-rpc' : 'xml-rpc' }
  return (text) => server.handle(text, options)
}
