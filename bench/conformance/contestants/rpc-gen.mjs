// rpc-gen with all defaults: the procedures of fixtures/wire, compiled by contestants.mjs.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from '../../../dist/runtime/index.js'
import { procedures } from '../../../fixtures/wire/dist/procedures.gen.js'

const notes = []
const server = new RpcServer({ procedures, onError() {} })
server.registerProcedure((word) => void notes.push(word), { name: 'note', unchecked: true })
server.registerProcedure(() => notes, { name: 'notes', unchecked: true })
server.registerProcedure(() => 'a\r\nb\rc', { name: 'text.lines', unchecked: true })

const app = new Hono().route('/', server.router())
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port} is ready`)
})
