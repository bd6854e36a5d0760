import { spawn } from 'node:child_process'

/**
 * Starts a server in a new process and waits until it prints its address.
 *
 * `file` is a JavaScript file that reads PORT and prints a line with `http://…`; port 0, the default, is any free one.
 * `command` is what runs it, Node by default; `env` is set beside the variables of this process; `addressIn` finds the address in
 * what it printed so far.
 * Rejects with the server's stderr if it exits before that; `onLog` gets what it writes there afterwards.
 *
 * @type {typeof import('./serving.mjs').startServer}
 */
export function startServer(
  file,
  {
    cwd,
    port = 0,
    env = {},
    command: [command, ...args] = [process.execPath],
    addressIn = printed,
    onLog = () => {},
  } = {},
) {
  const child = spawn(command, [...args, file], {
    cwd,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const endWithMe = () => child.kill()
  process.once('exit', endWithMe)
  const ended = new Promise((resolve) => child.once('close', resolve))
  ended.then(() => process.off('exit', endWithMe))

  let output = ''
  let log = ''
  let url
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
    if (url) onLog(text)
  })
  const stop = () => {
    child.kill()
    return ended
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      url ??= addressIn(output)
      if (url) resolve({ url, stop, ended, log: () => log })
    })
    ended.then((code) => reject(new Error(log.trim() || `${file} ended with exit code ${code}`)))
  })
}

function printed(output) {
  return /http:\S+(?=\s)/.exec(output)?.[0]
}
