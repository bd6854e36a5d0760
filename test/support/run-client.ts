import { spawn } from 'node:child_process'

/** Starts a client, sends it a value as JSON and parses its output as JSON. Rejects with what it wrote to stderr. */
export async function runJsonClient(
  command: readonly string[],
  input: unknown = null,
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return JSON.parse(await runClient(command, JSON.stringify(input), env))
}

/** Starts a client with a text as its input, and returns its output. Rejects with what it wrote to stderr. */
export function runClient(
  command: readonly string[],
  input: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [name = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    child.once('error', reject)
    child.once('close', (status) => {
      if (status !== 0) return reject(new Error(`${command.join(' ')} ended with ${status}: ${errors}`))
      resolve(output)
    })
    child.stdin.end(input)
  })
}
