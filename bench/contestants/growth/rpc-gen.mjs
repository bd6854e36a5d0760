import { answerer } from '../answerer.mjs'

/** With limits that accept the largest request. */
export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  return { answer: await answererOf(project, procedures) }
}

export async function answererOf(project, procedures) {
  const { RpcServer } = await project.package('.')
  const server = new RpcServer({ procedures, limits: { bodyBytes: 2 ** 24 } })
  return { json: answerer(server), xml: answerer(server, 'xml-rpc') }
}
