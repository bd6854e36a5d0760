import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { procedures as wire } from '../../../fixtures/wire/procedures.gen.js'
import { procedures as own } from './procedures.gen.js'

const procedures = { ...wire, ...own }
const onError = () => {}
/** The server of `/rpc`, for further entry points. */
export const strict = new RpcServer({ procedures, onError })
const sniffing = new RpcServer({ procedures, onError, sniffContentType: true })

/** `/rpc` is a server with all defaults; `/sniff` accepts a request without Content-Type. */
export const app = new Hono().all('/rpc', strict.asyncView).all('/sniff', sniffing.asyncView)
