import { batch, entry, error, exactly, nothing, result } from '../judge-json.mjs'
import { call, echo, group, invalid, notify, raw, unparsable } from './jsonrpc-call.mjs'

export const specification = group('Examples of the specification (section 7)', [
  ['spec', 'positional parameters', call('subtract', [42, 23]), result(19, 1)],
  ['spec', 'positional parameters, the other way round', call('subtract', [23, 42], 2), result(-19, 2)],
  ['spec', 'named parameters', call('subtract', { subtrahend: 23, minuend: 42 }, 3), result(19, 3)],
  [
    'spec',
    'named parameters, the other way round',
    call('subtract', { minuend: 42, subtrahend: 23 }, 4),
    result(19, 4),
  ],
  ['spec', 'a notification', notify('update', [1, 2, 3, 4, 5]), nothing],
  ['spec', 'a notification of an unknown method', notify('foobar'), nothing],
  ['spec', 'a call of an unknown method', call('foobar', undefined, '1'), error(-32601, '1')],
  ['spec', 'invalid JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', unparsable],
  ['spec', 'an invalid request object', '{"jsonrpc": "2.0", "method": 1, "params": "bar"}', invalid],
  [
    'spec',
    'a batch of invalid JSON',
    '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]',
    unparsable,
  ],
  ['spec', 'an empty array', '[]', invalid],
  ['spec', 'an invalid batch that is not empty', '[1]', batch([entry.error(-32600, null)])],
  ['spec', 'an invalid batch', '[1,2,3]', batch([1, 2, 3].map(() => entry.error(-32600, null)))],
  [
    'spec',
    'a mixed batch',
    [
      call('sum', [1, 2, 4], '1'),
      notify('notify_hello', [7]),
      call('subtract', [42, 23], '2'),
      { foo: 'boo' },
      call('foo.get', { name: 'myself' }, '5'),
      call('get_data', undefined, '9'),
    ],
    batch([
      entry.result(7, '1'),
      entry.result(19, '2'),
      entry.error(-32600, null),
      entry.error(-32601, '5'),
      entry.result(['hello', 5], '9'),
    ]),
  ],
  ['spec', 'a batch of notifications', [notify('notify_sum', [1, 2, 4]), notify('notify_hello', [7])], nothing],
])

const beyond = '9007199254740993'

const long = '1234567890123456789012345678901234567890'

export const ids = group('Ids (sections 4 and 5)', [
  ['spec', 'a string is returned unchanged', echo(1, 'é "\\ 🪚'), result(1, 'é "\\ 🪚')],
  ['spec', 'an empty string', echo(1, ''), result(1, '')],
  ['spec', 'zero', echo(1, 0), result(1, 0)],
  ['spec', 'a negative number', echo(1, -7), result(1, -7)],
  ['spec', 'a fraction: the same value', echo(1, 1.5), result(1, 1.5)],
  ['spec', 'null is a request, since a notification has no id', echo(1, null), result(1, null)],
  ['spec', `${beyond}: the same value`, raw('[1]', beyond), result(1, exactly(beyond))],
  ['spec', 'an integer of 40 digits: the same value', raw('[1]', long), result(1, exactly(long))],
  ['spec', 'an object: Invalid Request', echo(1, {}), invalid],
  ['spec', 'an array: Invalid Request', echo(1, [[1]]), invalid],
  ['spec', 'true: Invalid Request', echo(1, true), invalid],
])

export const requests = group('Request objects (section 4)', [
  ['spec', 'jsonrpc 1.0: MUST be exactly "2.0"', { ...echo(1), jsonrpc: '1.0' }, error(-32600, [1, null])],
  ['spec', 'jsonrpc as a number', { ...echo(1), jsonrpc: 2 }, error(-32600, [1, null])],
  ['spec', 'without a method', { jsonrpc: '2.0', id: 1 }, error(-32600, [1, null])],
  ['spec', 'a method that is null', call(null), error(-32600, [1, null])],
  ['spec', 'an empty method', call(''), error([-32600, -32601], 1)],
  [
    'spec',
    'names of members are case-sensitive: Method',
    { jsonrpc: '2.0', Method: 'get_data', id: 1 },
    error(-32600, [1, null]),
  ],
  ['spec', 'names of methods are case-sensitive', call('Subtract', [2, 1]), error(-32601, 1)],
  ['spec', 'params that are a string', call('echo.any', 'bar'), error([-32600, -32602], [1, null])],
  ['spec', 'params that are a number', call('echo.any', 5), error([-32600, -32602], [1, null])],
  ['spec', 'params that are true', call('echo.any', true), error([-32600, -32602], [1, null])],
  ['spec', 'params may be omitted', call('get_data'), result(['hello', 5], 1)],
  ['spec', 'empty params by position', call('get_data', []), result(['hello', 5], 1)],
  ['spec', 'the method constructor', call('constructor', []), error(-32601, 1)],
  ['spec', 'the method toString', call('toString', []), error(-32601, 1)],
  ['spec', 'the method __proto__', call('__proto__', []), error(-32601, 1)],
  ['spec', 'a reserved name: rpc.unknown', call('rpc.unknown', []), error(-32601, 1)],
  ['interop', 'further members are ignored', { ...echo(1), auth: 'x' }, result(1, 1)],
  [
    'ours',
    'without jsonrpc: -32600 (a server may read it as 1.0)',
    { method: 'get_data', id: 1 },
    error(-32600, [1, null]),
  ],
  [
    'ours',
    'params null: -32600 with the id (some servers read it as no params)',
    call('get_data', null),
    error(-32600, 1),
  ],
  ['ours', 'params that are a string: the error has the id', call('echo.any', 'bar'), error(-32600, 1)],
  [
    'ours',
    'an unknown named parameter: -32602',
    call('subtract', { minuend: 1, subtrahend: 2, x: 3 }),
    error(-32602, 1),
  ],
  ['ours', 'a parameter of the wrong type: -32602', call('subtract', ['1', 2]), error(-32602, 1)],
  ['ours', 'a missing parameter: -32602', call('subtract', [1]), error(-32602, 1)],
])
