import { expect, test } from 'vitest'
import { parseDocComment, rpcTag } from '../../generator/doc-comments/index.js'
import { starred } from './comment.js'

const hint = 'write @rpc, or @rpc and the name that callers use: letters, digits, _, $, -, : and /, with dots between'

const read = (...lines: string[]) => rpcTag(parseDocComment(starred(...lines)))

test.each([
  [['Text.'], { marked: false, problems: [] }],
  [['@rpc'], { marked: true, problems: [] }],
  [['@rpc', '', ':return: x'], { marked: true, problems: [] }],
])('%j', (lines, expected) => {
  expect(read(...lines)).toEqual(expected)
})

test.each(['add', 'user.create', 'user/create', 'ns:create', 'get-all', 'v1.2.get', '_$a', 'größe'])(
  'the name %s',
  (name) => {
    expect(read(`@rpc ${name}`)).toEqual({ marked: true, name, problems: [] })
  },
)

test('a name with a leading dot leaves the namespace', () => {
  expect(read('@rpc .user.create')).toEqual({ marked: true, name: 'user.create', isFull: true, problems: [] })
})

test.each(['name=foo', 'name=foo auth={admin}', '..a', 'a.', 'a..b', '- text', '{add}'])('rejects %s', (text) => {
  const problems = [{ message: `unknown @rpc option "${text}"`, hint, line: 1 }]
  expect(read(`@rpc ${text}`)).toEqual({ marked: true, problems })
})

test('rejects a second word and keeps the name', () => {
  const problems = [{ message: 'unknown @rpc option "x"', hint, line: 2 }]
  expect(read('Text.', '@rpc user.create x')).toEqual({ marked: true, name: 'user.create', problems })
})

test('does not read the line below as a name', () => {
  expect(read('@rpc', 'Adds')).toEqual({ marked: true, problems: [] })
})
