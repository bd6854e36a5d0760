// The base: what the same call costs as JSON, with nothing checked.
export const format = 'json'

export async function start(load) {
  const procedures = await load.user('procedures.js')
  return (text) => {
    const { method, params, id } = JSON.parse(text)
    return JSON.stringify({ jsonrpc: '2.0', result: procedures[method](...params), id })
  }
}
