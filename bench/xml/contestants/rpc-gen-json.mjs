// The same server over JSON: what the work of a server costs beside that of the format.
import { answerer } from './rpc-gen.mjs'

export const format = 'json'

export async function start(load) {
  const [{ jsonrpc }, { replyTo }, { settingsOf }, { RpcServer }, { procedures }] = await Promise.all([
    load.package('dist/runtime/jsonrpc/codec.js'),
    load.package('dist/runtime/reply.js'),
    load.package('dist/runtime/server.js'),
    load.package('dist/runtime/index.js'),
    load.user('rpc.gen.js'),
  ])
  return answerer(jsonrpc, replyTo, settingsOf(new RpcServer({ procedures })))
}
