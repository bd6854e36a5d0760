// npm's xmlrpc as in its README.
import xmlrpc from 'xmlrpc'

const echo = ([value]) => value

const procedures = {
  sum: (params) => params.reduce((total, each) => total + each, 0),
  update: () => null,
  get_data: () => ['hello', 5],
  'text.control': () => 'a\x01b',
  'text.lines': () => 'a\r\nb\rc',
  crash() {
    throw new Error('the password is hunter2')
  },
}
const types = ['any', 'array', 'boolean', 'bytes', 'date', 'double', 'int', 'null', 'record', 'string']
for (const type of types) procedures[`echo.${type}`] = echo

const server = xmlrpc.createServer({ host: '127.0.0.1', port: 0 }, () => {
  console.log(`http://127.0.0.1:${server.httpServer.address().port} is ready`)
})
for (const [name, procedure] of Object.entries(procedures)) {
  server.on(name, (_error, params, done) => done(null, procedure(params)))
}
server.on('fail', (_error, [faultCode, faultString], done) => done({ faultCode, faultString }))
