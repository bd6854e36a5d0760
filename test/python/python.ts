import { spawn } from 'node:child_process'
import { missingCommand } from '../support/skip.js'

/** Why the tests of Python clients cannot run here. */
export const missingPython = missingCommand('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))')

/** Runs Python with a text as its input. Returns what it printed. */
export function python(
  args: readonly string[],
  input = '',
  environment: NodeJS.ProcessEnv = {},
  cwd = '.',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', ['-W', 'error', ...args], { cwd, env: { ...process.env, ...environment } })
    let [output, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve(output) : reject(new Error(`python3 ended with ${status}:\n${errors}`)),
    )
    child.stdin.end(input)
  })
}
