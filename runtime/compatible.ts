// The implementation of the `compatibility` switches, in one chunk that is loaded by the first request of a server with one of them.

export { challengeOf, withStatus } from './http/compatibility.js'
export { compatibleCodec as compatibleJsonrpc } from './jsonrpc/compatibility.js'
export { compatibleCodec as compatibleXmlrpc } from './xmlrpc/compatibility.js'
