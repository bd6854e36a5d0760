import { calls } from './calls.mjs'
import { jsonRequest, xmlRequest } from './requests.mjs'

/** Where the docs page of the demo is, and three commands that make its first call, to paste into a shell. */
export function usage(url) {
  const [call] = calls
  return `
The tool library of fixtures/showcase is served. Its docs page, which lists and calls the procedures:

    ${url}

Three calls to paste into another terminal:

# JSON-RPC with curl
${curl(url, 'application/json', jsonRequest(call))}

# XML-RPC with Python
python3 -c "from xmlrpc.client import ServerProxy; print(ServerProxy('${url}').${call.method}(${Object.values(call.params ?? {}).join(', ')}))"

# XML-RPC with curl
${curl(url, 'text/xml', xmlRequest(call))}

Ctrl-C stops the server.`
}

function curl(url, contentType, body) {
  return `curl ${url} -H 'Content-Type: ${contentType}' -d '${body}'`
}
