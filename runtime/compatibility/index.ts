// The implementation of the `compatibility` switches, in one chunk that is loaded by the first request of a server with one of them.

export { challengeOf, withStatus } from './http.js'
export { compatibleCodec as compatibleJsonrpc } from './jsonrpc.js'
export { compatibleCodec as compatibleXmlrpc } from './xmlrpc.js'
