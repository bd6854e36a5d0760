import {
  all,
  anything,
  batch,
  entry,
  error,
  hasContentLength,
  hasHeader,
  hasStatus,
  lacks,
  nothing,
  result,
} from '../judge-json.mjs'
import { call, echo, group, invalid, json, notify, raw, unparsable } from './jsonrpc-call.mjs'

export const responses = group('Responses and errors (section 5)', [
  ['spec', 'a result that is null is included', echo(null), result(null, 1)],
  ['spec', 'a procedure without a result: the response has a result', call('update', [1]), result(null, 1)],
  ['spec', 'results that are false, 0 and ""', echo([false, 0, '']), result([false, 0, ''], 1)],
  [
    'spec',
    'an error with code, message and data',
    call('fail', [7, 'é', { a: [1] }]),
    error(7, 1, { message: 'é', data: { a: [1] } }),
  ],
  ['spec', 'an asynchronous result', call('later', ['é']), result('é', 1)],
  [
    'spec',
    'a procedure that throws: an error with the id',
    call('crash', []),
    (response) => all(anything, lacks(/"result"/))(response),
  ],
  ['ours', 'an exception: -32603 without its message', call('crash', []), all(error(-32603, 1), lacks(/hunter2/))],
])

export const notifications = group('Notifications (section 4.1)', [
  ['spec', 'of a procedure that throws', notify('crash', []), nothing],
  ['spec', 'of a procedure that fails', notify('fail', [1, 'x']), nothing],
  [
    'spec',
    'is executed once',
    notify('note', ['a word']),
    nothing,
    { next: { send: { headers: json, body: JSON.stringify(call('notes')) }, judge: result(['a word'], 1) } },
  ],
  ['spec', 'in a batch with a request: one response', [notify('crash'), echo(1)], batch([entry.result(1, 1)])],
])

export const batches = group('Batches (section 6)', [
  ['spec', 'of one: an array', [echo(1)], batch([entry.result(1, 1)])],
  ['spec', 'of an array: an invalid entry', [[]], batch([entry.error(-32600, null)])],
  ['spec', 'null as an entry', [null, echo(1)], batch([entry.error(-32600, null), entry.result(1, 1)])],
  [
    'spec',
    'two requests with the same id',
    [echo('a', 1), echo('b', 1)],
    batch([entry.result('a', 1), entry.result('b', 1)]),
  ],
  [
    'spec',
    'one entry that throws does not affect the others',
    [call('crash', [], 1), echo('b', 2)],
    batch([(each) => (each?.error && each.id === 1 ? undefined : 'no error'), entry.result('b', 2)]),
  ],
  [
    'interop',
    'responses in the order of the requests, although one takes longer',
    [call('later', ['a'], 1), echo('b', 2), call('x', [], 3)],
    batch([entry.result('a', 1), entry.result('b', 2), entry.error(-32601, 3)], { ordered: true }),
  ],
])

export const bodies = group('Bodies (RFC 8259)', [
  ['spec', 'an empty body', '', unparsable],
  ['spec', 'null', 'null', invalid],
  ['spec', 'a number', '42', invalid],
  ['spec', 'text', '"foo"', invalid],
  ['spec', 'true', 'true', invalid],
  ['spec', 'two values', `${JSON.stringify(echo(1))}{}`, unparsable],
  ['spec', 'a control character in a string', raw('["a\nb"]'), unparsable],
  ['spec', 'NaN', raw('[NaN]'), unparsable],
  ['spec', 'white space before and after', ` \r\n\t${JSON.stringify(echo(1))}\n `, result(1, 1)],
  [
    'spec',
    'a string of all kinds of characters',
    echo('é 世界 🪚 "\\/\b\f\n\r\t\u2028\0'),
    result('é 世界 🪚 "\\/\b\f\n\r\t\u2028\0', 1),
  ],
  ['spec', 'escapes', raw('["\\u00e9\\ud83e\\ude9a\\/"]'), result('é🪚/', 1)],
  [
    'spec',
    'nested values',
    echo({ a: [1.5, true, null, { '': [] }] }),
    result({ a: [1.5, true, null, { '': [] }] }, 1),
  ],
  [
    'interop',
    'a member called __proto__ is kept',
    raw('[{"__proto__":{"a":1},"b":2}]'),
    result(JSON.parse('{"__proto__":{"a":1},"b":2}'), 1),
  ],
  [
    'interop',
    'a member called constructor is kept',
    echo({ constructor: { prototype: 1 } }),
    result({ constructor: { prototype: 1 } }, 1),
  ],
  ['interop', '10,000 nested arrays: a response', raw(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), anything],
  [
    'interop',
    '1,000 requests in one batch',
    JSON.stringify(Array.from({ length: 1000 }, (_, id) => echo(id, id))),
    batch(Array.from({ length: 1000 }, (_, id) => entry.result(id, id))),
  ],
  ['ours', 'a byte order mark is skipped', `\ufeff${JSON.stringify(echo(1))}`, result(1, 1)],
  [
    'ours',
    'bytes that are not UTF-8 are rejected',
    Buffer.concat([Buffer.from(raw('["').slice(0, 46)), Buffer.from([0xff])]),
    unparsable,
  ],
  ['ours', 'a number beyond the range of a double (1e999) is rejected', raw('[1e999]'), error(-32602, 1)],
])

export const http = group(
  'HTTP',
  [
    ['interop', 'the response is application/json', echo(1), hasHeader('content-type', /^application\/json\b/)],
    ['interop', 'the response has a Content-Length', echo('é'), hasContentLength],
    ['interop', 'errors are HTTP 200', call('x'), hasStatus(200)],
    [
      'interop',
      'a charset after the type',
      echo('é'),
      result('é', 1),
      { send: { headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' }, body: JSON.stringify(echo('é')) } },
    ],
    [
      'interop',
      'GET: 405 with Allow (RFC 9110)',
      '',
      all(hasStatus(405), hasHeader('allow', /POST/)),
      { send: { method: 'GET', headers: {}, body: '' } },
    ],
    [
      'interop',
      'text/plain is rejected, so that forms of other sites cannot call',
      '',
      hasStatus(415),
      { send: { headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(echo(1)) } },
    ],
  ].map((each) => [...each.slice(0, 4), { ...each[4], http: true }]),
)
