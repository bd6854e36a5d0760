// The implementation of the `compatibility` switches, in one chunk that is loaded by the first request of a server with one of them.

export { challengeOf, withStatus } from './http.js'
export { compatibleJsonrpc } from './jsonrpc.js'
export { compatibleXmlrpc } from './xmlrpc.js'
