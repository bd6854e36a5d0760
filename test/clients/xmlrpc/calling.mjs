// What the XML-RPC clients have in common: node CLIENT.mjs URL reads a list of { method, params } from stdin, the params
// tagged by type, and prints the results, tagged likewise; JavaScript does not distinguish an int from a double.

function untag(tagged) {
  const [[type, value]] = Object.entries(tagged)
  if (type === 'date') return new Date(value)
  if (type === 'bytes') return Buffer.from(value, 'hex')
  if (type === 'array') return value.map(untag)
  if (type === 'struct') return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, untag(each)]))
  return value
}

function tag(value) {
  if (value === null) return { nil: null }
  if (value instanceof Date) return { date: value.toISOString().replace('.000Z', 'Z') }
  if (Buffer.isBuffer(value)) return { bytes: value.toString('hex') }
  if (Array.isArray(value)) return { array: value.map(tag) }
  if (typeof value !== 'object') return { [typeof value]: value }
  return { struct: Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tag(each)])) }
}

/** @param call `call(method, params)` resolves to the result and rejects with an error that has `faultCode`. */
export async function report(call) {
  const responses = []
  for (const { method, params } of JSON.parse(await new Response(process.stdin).text())) {
    responses.push(await call(method, params.map(untag)).then(tag, faultOf))
  }
  process.stdout.write(JSON.stringify(responses))
}

function faultOf(error) {
  return error.faultCode === undefined
    ? { unsupported: error.message ?? String(error) }
    : { fault: [error.faultCode, error.faultString] }
}
