import { createPublicClient, webSocket } from 'viem'
import { report } from '../jsonrpc/calling.mjs'

const transport = webSocket(process.argv[2], { reconnect: false, keepAlive: false })
const client = createPublicClient({ transport })
const balance = await client.getBalance({ address: `0x${'0'.repeat(24)}0de0b6b3a7640001` })
const seen = `${await client.getChainId()} ${await client.getBlockNumber()} ${balance}`
if (seen !== '1337 42 1000000000000000001') throw new Error(seen)

const rpcClient = await client.transport.getRpcClient()

/** What `client.request` calls, which wraps errors by their codes. */
async function call(method, params) {
  const { result, error } = await rpcClient.requestAsync({ body: { method, params } })
  if (error) throw error
  return result
}

const blocks = []
await new Promise((resolve, reject) => {
  client.watchBlockNumber({
    onBlockNumber: (number) => {
      blocks.push(number)
      if (blocks.length === 2) resolve()
    },
    onError: reject,
  })
})
if (`${blocks}` !== '43,44') throw new Error(`blocks ${blocks}`)
await report({ call, batch: async (calls) => calls.map(({ method, params }) => call(method, params)) })
rpcClient.close()
