import express, { Router } from 'express'
import { nodeHandler } from 'rpc-gen/node'
import { server } from './server.js'

const rpc = nodeHandler(server)
const app = express()
const limit = '8mb'
app.use('/json', express.json({ limit }), rpc)
app.use('/text', express.text({ limit, type: '*/*' }), rpc)
app.use('/raw', express.raw({ limit, type: '*/*' }), rpc)
app.use('/api', Router().use('/v1/rpc', rpc))

app.listen(Number(process.env['PORT']), '127.0.0.1')
