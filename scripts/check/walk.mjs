// node scripts/check/walk.mjs [--list]: counts the files and functions of the runtime that one warm call of `add` enters, over Hono
// and over node:http, as V8's precise coverage reports them. With --list it prints them. It needs dist/: npm run build.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { root } from '../run.mjs'

const load = (path) => import(pathToFileURL(join(root, 'dist/runtime', path)).href)
const { RpcServer, int, manifest, procedure } = await load('codegen.js')
const { nodeHandler } = await load('node.js')

const isListed = process.argv.includes('--list')
const spec = { params: { a: int, b: int }, returns: int }
const server = new RpcServer({ procedures: manifest({ add: procedure((a, b) => a + b, spec) }) })
const app = new Hono().route('/rpc', server.router())

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const listening = (listener) => new Promise((resolve) => listener.on('listening', () => resolve(listener)))
await report("app.route('/rpc', router)", await listening(serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })))
await report('nodeHandler(server)', await listening(createServer(nodeHandler(server)).listen(0, '127.0.0.1')))
process.exit()

async function report(title, host) {
  const url = `http://127.0.0.1:${host.address().port}/rpc`
  // What is made once per server or connection does not count.
  for (let i = 0; i < 3; i += 1) await call(url)
  await session.post('Profiler.takePreciseCoverage')
  await call(url)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const entered = result.flatMap(({ url, functions }) => enteredIn(url, functions))
  const files = new Set(entered.map(({ file }) => file))
  const named = entered.filter(({ isClosure }) => !isClosure)
  console.log(`${title}: ${files.size} files, ${named.length} functions, ${entered.length - named.length} closures`)
  if (!isListed) return
  for (const each of files) {
    const names = entered
      .filter(({ file }) => file === each)
      .map(({ name, isClosure }) => (isClosure ? `(${name})` : name))
    console.log(`  ${each}: ${names.join(', ')}`)
  }
}

async function call(url) {
  const body = '{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}'
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await response.text()
  if (text !== '{"jsonrpc":"2.0","result":3,"id":1}') throw new Error(`a wrong response: ${text}`)
}

/** The functions of a script of dist/ that were called, with the source that they are from. A closure is inside of another function. */
function enteredIn(url, functions) {
  if (!url.includes('/dist/runtime/')) return []
  const path = fileURLToPath(url)
  const text = readFileSync(path, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  // The range of a constructor is its class.
  const outer = functions
    .map(({ ranges: [range] }) => range)
    .filter(({ startOffset }) => startOffset > 0 && !text.startsWith('class', startOffset))
  return functions.flatMap(({ functionName, ranges: [range] }) => {
    // Fields of classes are initialised in a function of their own, and the module is one.
    if (range.count === 0 || range.startOffset === 0 || functionName.startsWith('<')) return []
    const lines = text.slice(0, range.startOffset).split('\n')
    const entry = map.findEntry(lines.length - 1, lines[lines.length - 1].length)
    const { originalSource } = /** @type {import('node:module').SourceMapping} */ (entry)
    const isClosure = outer.some((each) => isInside(range, each))
    return [
      {
        file: relative(join(root, 'dist/src'), join(path, '..', originalSource)),
        name: functionName || '=>',
        isClosure,
      },
    ]
  })
}

function isInside(inner, outer) {
  return inner.startOffset > outer.startOffset && inner.endOffset < outer.endOffset
}
