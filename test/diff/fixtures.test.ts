import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diffCommand } from '../../generator/command/diff.js'
import { UsageError } from '../../generator/diagnostics/diagnostic.js'
import { root } from '../support/paths.js'

const cases = readdirSync(join(root, 'fixtures/diff'))
const update = process.env['UPDATE_FIXTURES'] === '1'

/** The output and the exit of the command; paths are relative to the project's root. */
async function runDiff(argv: readonly string[]): Promise<string> {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  const status = await diffCommand(argv, () => Promise.reject(new Error('both are files')), output).catch((error) => {
    if (!(error instanceof UsageError)) throw error
    text += `rpc-gen: ${error.message}\n`
    return 2
  })
  return `${text.replaceAll(`${root.replaceAll('\\', '/')}`, '')}\nexit status ${status}\n`
}

describe('the report', () => {
  test.each(cases)('%s', async (name) => {
    const folder = join(root, 'fixtures/diff', name)
    const file = (path: string) => join(root, relative(root, join(folder, path))).replaceAll('\\', '/')
    const flags: readonly string[] = existsSync(file('flags.json'))
      ? JSON.parse(readFileSync(file('flags.json'), 'utf8'))
      : []
    const text = await runDiff([file('old.json'), file('new.json'), ...flags])
    const expected = join(folder, 'expected.txt')
    if (update) writeFileSync(expected, text)
    expect(text).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : '')
  })
})
