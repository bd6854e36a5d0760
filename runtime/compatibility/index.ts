// The implementation of the `compatibility` switches, in one chunk, loaded when it is first needed: by a switch, or for
// the challenge of an MCP 401.

export { challengeOf, withStatus } from './http.js'
export { compatibleJsonrpc } from './jsonrpc.js'
export { compatibleXmlrpc } from './xmlrpc.js'
