/** Text to text with everything that a server does except HTTP: limits, lookup, validation, context, encoding by type. */
export function responder(server, protocol = 'json-rpc') {
  const options = { protocol }
  return (text) => server.handle(text, options)
}
