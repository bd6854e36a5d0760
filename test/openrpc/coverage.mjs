// Calls every method of a server by its OpenRPC document: the examples, else what a generator of values makes of the
// schemas. Prints one line of JSON for each call. `node coverage.mjs <url of the endpoint> <method to leave out>...`
import schemaUtils from '@open-rpc/schema-utils-js'
import coverage from '@open-rpc/test-coverage/build/coverage.js'
import EmptyReporter from '@open-rpc/test-coverage/build/reporters/emptyReporter.js'
import httpTransport from '@open-rpc/test-coverage/build/transports/HTTPTransport.js'

const [url, ...skip] = process.argv.slice(2)
const written = await (await fetch(`${url}/openrpc.json`)).json()
const document = await schemaUtils.parseOpenRPCDocument({ ...written, servers: [{ url }] })
const calls = await coverage.default({
  openrpcDocument: document,
  skip,
  only: [],
  transport: httpTransport.default,
  reporters: [new EmptyReporter.default()],
})
for (const { methodName, title, valid, reason, error } of calls) {
  console.log(JSON.stringify({ method: methodName, title, valid, reason, error: error?.message }))
}
