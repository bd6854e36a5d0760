import { join } from 'node:path'
import { type Client, describeClients } from '../../clients/calling.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { missingCommand } from '../../support/skip.js'

// Real clients of JSON-RPC over WebSocket, each in a separate process, against a real port.

const at = (path: string) => join(root, 'test/clients', path)
const npm = await install(at('websocket'))
const ofNpm = (file: string, name: string, further: Partial<Client> = {}): Client => ({
  name,
  command: [process.execPath, at(`websocket/${file}`)],
  notInstalled: npm,
  ...further,
})

// Debian's package python3-websockets is for Debian's Python alone.
const importing = ['-c', 'import websockets']
const python = ['python3', '/usr/bin/python3'].find((command) => !missingCommand(command, ...importing)) ?? 'python3'

const clients: readonly Client[] = [
  ofNpm('ethers.mjs', "ethers 6.17.0's WebSocketProvider (npm)", { without: 'notification' }),
  ofNpm('viem.mjs', "viem 2.57.20's webSocket transport (npm)", { without: 'notification' }),
  ofNpm('rpc-websockets.mjs', 'rpc-websockets 10.0.1 (npm)'),
  {
    name: "Python's websockets",
    command: [python, at('websocket/python.py')],
    notInstalled: missingCommand(python, ...importing),
  },
]

describeClients(clients, 'ws:')
