import { RpcServer } from 'rpc-gen'
import { procedures as wire } from '../../fixtures/wire/procedures.gen.js'
import { procedures as own } from './procedures.gen.js'

/** What every host serves: the pages of docs/guide/hosts import it as `./server.js`. */
export const server = new RpcServer({ procedures: { ...wire, ...own }, docs: true, onError: () => {} })
