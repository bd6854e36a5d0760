// Runs the command of dist/ again and again in one process, which loads the compiler once. Everything else is as in a process of its
// own: the working directory, the variables, the arguments, what is written, the exit status, and that it ends by itself.
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { inspect } from 'node:util'

const [, , cli] = process.argv
const require = createRequire(import.meta.url)

let written = { stdout: '', stderr: '' }

for (const name of ['stdout', 'stderr']) {
  process[name].write = (text, ...rest) => {
    written[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
    rest.findLast((each) => typeof each === 'function')?.()
    return true
  }
}
const { writeSync } = fs
fs.writeSync = (to, ...content) => {
  if (to !== 1 && to !== 2) return writeSync(to, ...content)
  const [text] = content
  process[to === 1 ? 'stdout' : 'stderr'].write(text)
  return Buffer.byteLength(text)
}
syncBuiltinESMExports()

process.on('message', ({ cwd, args, env }) => {
  written = { stdout: '', stderr: '' }
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv.splice(1, Number.POSITIVE_INFINITY, cli, ...args)
  process.exitCode = 0
  // The event `beforeExit` follows when nothing else keeps the process alive.
  process.channel.unref()
  delete require.cache[cli]
  require(cli)
})

process.on('uncaughtException', (error) => {
  process.stderr.write(`${inspect(error)}\n`)
  process.exitCode = 1
})

process.on('beforeExit', () => {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  process.send({ status: process.exitCode, ...written })
  process.channel.ref()
})

// Not `exit`, at which a run stores what it has compiled.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
