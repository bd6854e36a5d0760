// JSON-RPC with curl: every call is one command.
import { spawn } from 'node:child_process'
import { report } from './calling.mjs'

function curl(body) {
  const headers = ['-H', 'Content-Type: application/json']
  const args = ['--silent', '--show-error', '--fail', ...headers, '--data-binary', '@-', process.argv[2]]
  const child = spawn('curl', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(body)
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.once('error', reject)
    child.once('close', (status) => (status === 0 ? resolve(output) : reject(new Error(`curl ended with ${status}`))))
  })
}

const request = ({ method, params }, id) => ({ jsonrpc: '2.0', method, params, id })
const settle = ({ result, error }) => (error ? Promise.reject(error) : Promise.resolve(result))

await report({
  call: async (method, params) => settle(JSON.parse(await curl(JSON.stringify(request({ method, params }, 1))))),
  async batch(calls) {
    const responses = JSON.parse(await curl(JSON.stringify(calls.map(request))))
    return calls.map((_, id) => settle(responses.find((response) => response.id === id)))
  },
  async notify(method, params) {
    const output = await curl(JSON.stringify(request({ method, params })))
    if (output !== '') throw new Error(`a notification got a response: ${output}`)
  },
})
