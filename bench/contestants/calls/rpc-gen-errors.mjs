// rpc-gen with a procedure that throws an error of its own.
import { responder } from '../responder.mjs'

export async function start(project) {
  const { procedures } = await project.user('procedures.gen.js')
  const { RpcError, RpcServer } = await project.package('.')
  const { int, manifest, procedure } = await project.package('codegen/v1')
  const fails = (id) => {
    throw new RpcError(404, 'No such order', { data: { id } })
  }
  const throwing = manifest({ fails: procedure(fails, { params: { id: int, line: int }, returns: int }) })
  return { respond: responder(new RpcServer({ procedures: { ...procedures, ...throwing } })) }
}
