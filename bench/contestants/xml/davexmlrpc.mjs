// davexmlrpc: its function for the text of a request, and the one for the text of a response.
import davexmlrpc from 'davexmlrpc'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = (text) => {
    let reply
    davexmlrpc.server(text, (error, method, params) => {
      if (error) throw error
      reply = davexmlrpc.getReturnText(functions[method](...params), 'xml')
    })
    return reply
  }
  return { format: 'xml', respond }
}
