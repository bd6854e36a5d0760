import { node } from './start.js'
import { describeWebSocketHosts } from './websocket-checks.js'

describeWebSocketHosts('websocket', [{ file: 'websocket-node.ts', runtime: node, env: 'incoming' }])
