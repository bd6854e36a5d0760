import { RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/union-tags/expected.gen.js'
import { responseTo } from '../support/json-rpc.js'

// Errors for a union whose branches are distinguished by literals, where no single member does so for all of them.

const router = new RpcServer({ procedures }).router()

const call = (method: string, param: unknown) => responseTo(router, method, [param])

const issue = (path: readonly (string | number)[], expected: string, received: string) =>
  expect.objectContaining({ path, expected, received })

test.each([
  ['run', { state: 'queued' }],
  ['run', { state: 'done', result: 'x' }],
  ['run', { state: 'done', error: 'x' }],
  ['notify', { data: { kind: 'x', v: 1 } }],
  ['notify', { data: { kind: 'y', w: '2020-01-02T03:04:05.000Z' } }],
  ['choose', { kind: 'a', x: 1 }],
  ['choose', { z: true }],
  ['choose', { kind: null, z: true }],
  [
    'apply',
    [
      { path: 'a', edits: [] },
      { kind: 'trash', uri: 'a' },
    ],
  ],
  ['show', { as: 'map', raw: true }],
  ['print', { type: 'foot', form: 'rich', page: 1 }],
])('%s %j is accepted', async (method, param) => {
  expect((await call(method, param)).error).toBeUndefined()
})

describe('tags that no branch has: the issue lists all literals, each once', () => {
  test.each([
    ['run', { state: 'nope' }, issue(['job', 'state'], '"queued" | "done"', 'string of length 4')],
    ['run', { result: 'x' }, issue(['job', 'state'], '"queued" | "done"', 'nothing')],
    ['notify', { data: { kind: 'z', v: 1 } }, issue(['notice', 'data', 'kind'], '"x" | "y"', 'string of length 1')],
    ['notify', { data: {} }, issue(['notice', 'data', 'kind'], '"x" | "y"', 'nothing')],
    ['choose', { kind: 'c', y: 'x' }, issue(['choice', 'kind'], '"a" | "b" | null', 'string of length 1')],
    [
      'apply',
      [{ kind: 'move', oldUri: 'a', newUri: 'b' }],
      issue(['changes', 0, 'kind'], '"create" | "delete" | "trash" | "rename"', 'string of length 4'),
    ],
    ['show', { as: 1 }, issue(['shown', 'as'], '"bar" | "pie" | string', 'int')],
    ['print', { type: 'side', form: 'rich' }, issue(['part', 'type'], '"head" | "foot"', 'string of length 4')],
    ['print', { type: 'head', form: 'bold' }, issue(['part', 'form'], '"plain" | "rich"', 'string of length 4')],
  ])('%s %j', async (method, param, data) => {
    expect((await call(method, param)).error?.data).toEqual([data])
  })
})

describe('tags of one branch: the issues of that branch', () => {
  test.each([
    ['run', { state: 'done', result: 1 }, issue(['job', 'result'], 'string', 'int')],
    ['notify', { data: { kind: 'y', v: 1 } }, issue(['notice', 'data', 'w'], 'date', 'nothing')],
    ['notify', { data: { kind: 'x', v: 2 } }, issue(['notice', 'data', 'v'], '1', 'int')],
    ['choose', { kind: 'b', x: 1 }, issue(['choice', 'y'], 'string', 'nothing')],
    ['choose', { x: 1 }, issue(['choice', 'z'], 'boolean', 'nothing')],
    ['apply', [{ kind: 'trash', path: 'a', edits: [1] }], issue(['changes', 0, 'uri'], 'string', 'nothing')],
    ['apply', [{ path: 'a', edits: [1] }], issue(['changes', 0, 'edits', 0], 'string', 'int')],
    ['show', { as: 'map', x: 'a' }, issue(['shown', 'raw'], 'boolean', 'nothing')],
    ['print', { type: 'head', form: 'rich', text: 'a' }, issue(['part', 'html'], 'string', 'nothing')],
  ])('%s %j', async (method, param, data) => {
    expect((await call(method, param)).error?.data).toEqual([data])
  })
})

test('tags of several branches: the issues of each', async () => {
  const reasons =
    'for object job.result: expected string, received nothing; for object job.error: expected string, received nothing'
  expect((await call('run', { state: 'done' })).error?.data).toEqual([issue(['job'], 'object', `object (${reasons})`)])
})

test('an omitted tag, if one branch has none: the issues of the best-matching branches', async () => {
  const { error } = await call('apply', [{ uri: 'a' }])
  const reasons =
    'for CreateFile changes[0].kind: expected "create", received nothing; ' +
    'for RemoveFile changes[0].kind: expected "delete" | "trash", received nothing'
  expect(error?.data).toEqual([
    issue(['changes', 0], 'CreateFile | RemoveFile | RenameFile | TextEdit', `object (${reasons})`),
  ])
})
