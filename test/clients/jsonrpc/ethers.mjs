import { JsonRpcProvider } from 'ethers'
import { report } from './calling.mjs'

const provider = new JsonRpcProvider(process.argv[2])

/** ethers wraps the response of a server: an unknown error is in `error.error`. */
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
// Calls that are made at once go in one batch.
await report({ call, batch: async (calls) => calls.map(({ method, params }) => call(method, params)) })
provider.destroy()
