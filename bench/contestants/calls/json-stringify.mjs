// One parse, the call, one stringify.
export async function start(project) {
  const functions = await project.user('procedures.js')
  const reply = ({ method, params, id }) => ({ jsonrpc: '2.0', result: functions[method](...params), id })
  return {
    respond(text) {
      const body = JSON.parse(text)
      return JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body))
    },
  }
}
