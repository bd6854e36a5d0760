import { once } from 'node:events'
import { Client } from 'rpc-websockets'
import { report } from '../jsonrpc/calling.mjs'

const client = new Client(process.argv[2], { reconnect: false })
await once(client, 'open')
const call = (method, params) => client.call(method, params)
const announced = once(client, 'announcement')
await call('announce', ['announcement', 'heard'])
const [params] = await announced
if (JSON.stringify(params) !== '["heard"]') throw new Error(JSON.stringify(params))
await report({
  call,
  batch: async (calls) => calls.map(({ method, params }) => call(method, params)),
  notify: (method, params) => client.notify(method, params),
})
client.close()
