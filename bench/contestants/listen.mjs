/** Returns the `listen` of a contestant that makes a server of node:http. */
export function listenWith(create) {
  return (port, ready) => {
    const server = create()
    server.listen(port, '127.0.0.1', () => ready(server.address().port))
  }
}
