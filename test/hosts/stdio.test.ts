import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writePrograms } from './start.js'

test('the program of the page passes lines of stdin to server.handle', async () => {
  const program = join(await writePrograms('stdio'), 'stdio.js')
  const input = [
    '{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}',
    '{"jsonrpc":"2.0","method":"add","params":[3,4]}',
    'not JSON',
  ].join('\n')
  const output = execFileSync(process.execPath, [program], { input, encoding: 'utf8' })
  const [first, second, ...others] = output.trim().split('\n')
  expect(first).toBe('{"jsonrpc":"2.0","result":3,"id":1}')
  expect(JSON.parse(second ?? '')).toMatchObject({ error: { code: -32700 }, id: null })
  expect(others).toEqual([])
})
