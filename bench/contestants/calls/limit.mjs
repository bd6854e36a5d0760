// The lower bound: one parse, the call, the envelope; no HTTP, no checks, numbers are not stringified.
export async function start(project) {
  const functions = await project.user('procedures.js')
  const reply = ({ method, params, id }) => {
    const result = functions[method](...params)
    const json = typeof result === 'number' ? result : JSON.stringify(result)
    return `{"jsonrpc":"2.0","result":${json},"id":${id}}`
  }
  return {
    respond(text) {
      const body = JSON.parse(text)
      return Array.isArray(body) ? `[${body.map(reply).join(',')}]` : reply(body)
    },
  }
}
