import { WebSocketProvider } from 'ethers'
import { report } from '../jsonrpc/calling.mjs'

const provider = new WebSocketProvider(process.argv[2])

/** ethers wraps the error of a server: an unknown one is in `error.error`. */
async function call(method, params) {
  try {
    return await provider.send(method, params)
  } catch (error) {
    throw error.error ?? error.info?.error ?? error
  }
}

const network = await provider.getNetwork()
const block = await provider.getBlockNumber()
const balance = await provider.getBalance(`0x${'0'.repeat(25)}de0b6b3a7640001`)
if (`${network.chainId} ${block} ${balance}` !== '1337 42 1000000000000000001') {
  throw new Error(`chain ${network.chainId}, block ${block}, balance ${balance}`)
}
const blocks = []
const first = new Promise((resolve) => {
  provider.on('block', (number) => {
    blocks.push(number)
    if (blocks.length === 2) resolve()
  })
})
await first
await provider.off('block')
if (`${blocks}` !== '43,44') throw new Error(`blocks ${blocks}`)
// It sends no batches: concurrent calls are separate messages.
await report({ call, batch: async (calls) => calls.map(({ method, params }) => call(method, params)) })
await provider.destroy()
