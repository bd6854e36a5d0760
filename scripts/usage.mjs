import { calls } from './calls.mjs'
import { jsonRequest, xmlRequest } from './requests.mjs'

/** Commands that a reader can paste into a shell while the demo runs. */
export function usage(url) {
  return `The tool library of fixtures/showcase is served at ${url}; Ctrl-C stops it.

In a browser the same address is a page that describes the procedures and calls them. What other tools read of them is at
${url}/openrpc.json

JSON-RPC with curl:

${calls.map((call) => `# ${call.about}\n${curl(url, 'application/json', jsonRequest(call))}`).join('\n')}

XML-RPC with curl:

${curl(url, 'text/xml', xmlRequest(calls[0]))}

XML-RPC with Python:

${python(url)}
`
}

function curl(url, contentType, body) {
  return `curl ${url} -H 'Content-Type: ${contentType}' -d '${body}'`
}

function python(url) {
  const [failing, respond] = [calls.filter((call) => call.fault), calls.filter((call) => call.value)]
  return `python3 - <<'END'
import datetime, xmlrpc.client

rpc = xmlrpc.client.ServerProxy('${url}', use_builtin_types=True)
print(rpc.system.listMethods())
${respond.map((call) => `print(${call.python})`).join('\n')}
for fails in (
${failing.map((call) => `    lambda: ${call.python},`).join('\n')}
):
    try:
        fails()
    except xmlrpc.client.Fault as fault:
        print(fault.faultCode, fault.faultString)
END`
}
