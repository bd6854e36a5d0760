import { join } from 'node:path'
import { type Client, describeClients } from '../../clients/calling.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { missingCommand } from '../../support/skip.js'

// Real JSON-RPC clients, each in a separate process, against a real port.

const at = (path: string) => join(root, 'test/clients', path)
const npm = await install(at('jsonrpc'))
const ofNpm = (file: string, name: string, further: Partial<Client> = {}): Client => ({
  name,
  command: [process.execPath, at(`jsonrpc/${file}`)],
  notInstalled: npm,
  ...further,
})

const clients: readonly Client[] = [
  ofNpm('jayson.mjs', 'jayson 5.0.0 (npm)'),
  ofNpm('json-rpc-2.0.mjs', 'json-rpc-2.0 1.8.1 (npm)'),
  ofNpm('open-rpc.mjs', '@open-rpc/client-js 2.1.0 (npm)'),
  ofNpm('ethers.mjs', "ethers 6.17.0's JsonRpcProvider (npm)", { without: 'notification' }),
  { name: 'fetch of Node', command: [process.execPath, at('jsonrpc/fetch.mjs')], notInstalled: undefined },
  {
    name: 'curl',
    command: [process.execPath, at('jsonrpc/curl.mjs')],
    notInstalled: missingCommand('curl', '--version'),
  },
  {
    name: "Perl's HTTP::Tiny and JSON::PP",
    command: ['perl', at('jsonrpc/perl.pl')],
    notInstalled: missingCommand('perl', '-MHTTP::Tiny', '-MJSON::PP', '-e1'),
  },
]

describeClients(clients, 'http:')
