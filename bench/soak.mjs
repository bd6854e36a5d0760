// node bench/soak.mjs [minutes]: ten minutes of hostile requests against a server in a separate process. It prints the memory of that
// process, twice a minute, and ends with 1 if it has grown by a tenth since the beginning or has not responded.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { compileRuntime } from '../test/wire/memory/compile.mjs'

const most = 1.1
const patience = 30_000
const minutes = Math.min(Number(process.argv[2] ?? 10), 10)
const at = (path) => fileURLToPath(new URL(path, import.meta.url))

const folder = compileRuntime()
const child = fork(at('../test/wire/memory/server.mjs'), [folder], { execArgv: ['--expose-gc'] })
const [{ port }] = await once(child, 'message')
child.once('exit', (code) => {
  console.error(`the server ended with ${code}`)
  process.exit(1)
})

async function memory() {
  child.send({ id: 0, ask: 'memory' })
  const [{ answer }] = await once(child, 'message')
  return answer
}

let count = 0

/** Only checks that there is a response; the tests check its content. */
async function post(type, body) {
  const options = { method: 'POST', headers: { 'Content-Type': type }, body, signal: AbortSignal.timeout(patience) }
  const response = await fetch(`http://127.0.0.1:${port}/rpc`, options)
  await response.text()
  count += 1
}

/** A text on a connection that is closed in the middle. */
async function leave(text) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text, resolve))
  await wait(Math.random() * 20)
  socket.destroy()
  count += 1
}

const fixtures = [
  ['jsonrpc', 'json', 'application/json'],
  ['xmlrpc', 'xml', 'text/xml'],
].flatMap(([protocol, extension, type]) => {
  const cases = at(`../fixtures/wire/${protocol}`)
  return readdirSync(cases).map((name) => [type, readFileSync(join(cases, name, `request.${extension}`))])
})

const fill = (text, size) => text.repeat(Math.floor(size / text.length))
const json = (method, params) => `{"jsonrpc":"2.0","method":"${method}","params":${params},"id":1}`
const xml = (method, value) =>
  `<methodCall><methodName>${method}</methodName><params><param><value>${value}</value></param></params></methodCall>`
const record = (name) => `<struct><member><name>${name}</name><value><double>1.5</double></value></member></struct>`

/** Created each time, so that all names and texts are different. */
const large = (round) => [
  ['application/json', json('echo.any', `[{${Array.from({ length: 20_000 }, (_, i) => `"r${round}n${i}":1`)}}]`)],
  ['application/json', json(`method${round}${fill('m', 100_000)}`, '[]')],
  ['application/json', fill('[', 1_000_000)],
  ['application/json', fill(' ', 5_000_000)],
  ['text/xml', xml('echo.string', `${round}${fill('&amp;', 500_000)}`)],
  ['text/xml', xml('echo.record', record(`r${round}`))],
  ['text/xml', xml('kindOf', fill(`<a${round} b="c"/>`, 200_000))],
  ['text/xml', xml('kindOf', fill(`<a${round} b="c"/>`, 2_000_000))],
  ['text/xml', xml('system.multicall', `<array><data>${'<value><x/></value>'.repeat(20_000)}</data></array>`)],
  ['text/xml', `<!DOCTYPE a [<!ENTITY a "${fill('a', 100_000)}">]>${xml('kindOf', fill('&a;', 100_000))}`],
  ['text/xml', xml('kindOf', fill('<array><data><value>', 1_000_000))],
]

async function hostility(round) {
  for (const [type, body] of fixtures) await post(type, body)
  for (const [type, body] of large(round)) await post(type, body)
  const head = 'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 100000\r\n\r\n'
  await Promise.all(Array.from({ length: 100 }, () => leave(head + fill('<a>', round % 90_000))))
  await Promise.all(Array.from({ length: 200 }, () => post('application/json', json('sum', '[1,2]'))))
}

// Code is compiled and pools are filled in the first rounds, which is not a leak.
for (let round = 0; round < 20; round++) await hostility(round)
const first = await memory()
const end = Date.now() + minutes * 60_000
for (let round = 20, next = 0; Date.now() < end; round++) {
  await hostility(round)
  if (Date.now() < next) continue
  next = Date.now() + 30_000
  const now = await memory()
  console.log(`${count} requests, ${(now / 2 ** 20).toFixed(1)} MiB, ${(now / first).toFixed(3)} of the beginning`)
}
const ratio = (await memory()) / first
console.log(`in the end ${count} requests and ${ratio.toFixed(3)} of the beginning`)
child.removeAllListeners('exit')
child.kill()
rmSync(folder, { recursive: true, force: true })
process.exit(ratio < most ? 0 : 1)
