import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { diagnosticLines, styleOf, type TerminalStyle } from '../../generator/command/report.js'
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js'
import { terminalText } from '../../generator/diagnostics/printable.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let cwd: string

beforeAll(() => {
  cwd = temporaryFolder('terminal')
  writeFileSync(join(cwd, 'a.ts'), '/** @rpc */\r\n\texport function a(b: never): void {}\r\n')
})

const diagnostic: Diagnostic = {
  code: 'RPC121',
  message: 'never has no values',
  position: { file: 'a.ts', line: 2, column: 20 },
  path: 'a(b)',
  hint: 'declare something else',
}

const showDiagnostic = (each: Diagnostic, look: TerminalStyle, folder: string): string =>
  terminalText(diagnosticLines(each, look, folder), look.color).trimEnd()

const plain = ['a.ts:2:20 RPC121 never has no values', '  in a(b)', '  hint: declare something else']

test('without a frame the text is the same as in a pipe', () => {
  expect(showDiagnostic(diagnostic, { frame: false, color: false }, cwd)).toBe(plain.join('\n'))
})

test('the frame shows the line, and a caret under the position behind the same tabs', () => {
  expect(showDiagnostic(diagnostic, { frame: true, color: false }, cwd).split('\n')).toEqual([
    plain[0],
    '  2 | \texport function a(b: never): void {}',
    '    | \t                  ^',
    ...plain.slice(1),
  ])
})

test('the code, the margin and the caret are coloured', () => {
  expect(showDiagnostic(diagnostic, { frame: true, color: true }, cwd).split('\n')).toEqual([
    'a.ts:2:20 \u001b[31mRPC121\u001b[39m never has no values',
    '  \u001b[2m2 | \u001b[22m\texport function a(b: never): void {}',
    '  \u001b[2m  | \u001b[22m\t                  \u001b[31m^\u001b[39m',
    ...plain.slice(1),
  ])
})

test('a problem without a position, or in a deleted file, has no frame', () => {
  const { position, ...unplaced } = diagnostic
  const look = { frame: true, color: false }
  expect(showDiagnostic(unplaced, look, cwd)).not.toContain('|')
  expect(showDiagnostic({ ...diagnostic, position: { file: 'gone.ts', line: 1, column: 1 } }, look, cwd)).toBe(
    ['gone.ts:1:1 RPC121 never has no values', ...plain.slice(1)].join('\n'),
  )
})

describe('the output decides whether colours and frames are used', () => {
  test.each([
    ['a pipe', {}, {}, { frame: false, color: false }],
    ['a terminal', { isTTY: true }, {}, { frame: true, color: true }],
    ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, { frame: true, color: false }],
    ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, { frame: true, color: true }],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, { frame: true, color: false }],
  ])('%s', (_what, stream, env, look) => {
    expect(styleOf(stream, env)).toEqual(look)
  })
})
