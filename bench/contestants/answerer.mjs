/** Text to text with all that a server does but HTTP: limits, lookup, validation, context, encoding by type. */
export function answerer(server, protocol = 'json-rpc') {
  const options = { protocol }
  return (text) => server.handle(text, options)
}
