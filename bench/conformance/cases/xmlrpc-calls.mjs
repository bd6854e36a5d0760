import { all, hasContentLength, hasHeader, hasStatus, lacks } from '../judge-json.mjs'
import { fault, readable, rejected, value, values } from '../judge-xml.mjs'
import { array, call, date, declaration, echo, group, inParams, member, moment } from './xmlrpc-call.mjs'

export const calls = group('Calls, results and faults', [
  [
    'spec',
    'params may be missing',
    `${declaration}<methodCall><methodName>get_data</methodName></methodCall>`,
    value({ array: [{ string: 'hello' }, { int: 5 }] }),
  ],
  ['spec', 'empty params', call('get_data'), value({ array: [{ string: 'hello' }, { int: 5 }] })],
  ['spec', 'several parameters', call('sum', '<int>1</int>', '<int>2</int>', '<int>4</int>'), value({ number: 7 })],
  ['spec', 'a fault: a struct of faultCode and faultString', call('fail', '<int>4</int>', 'é &lt;'), fault(4, 'é <')],
  ['spec', 'an unknown method: a fault with HTTP 200', call('foobar'), fault()],
  ['spec', 'the method constructor: rejected', call('constructor'), rejected],
  ['spec', 'the method __proto__: rejected', call('__proto__'), rejected],
  ['spec', 'no method name', `${declaration}<methodCall>${inParams([])}</methodCall>`, rejected],
  [
    'spec',
    'a response instead of a call',
    `${declaration}<methodResponse>${inParams(['x'])}</methodResponse>`,
    rejected,
  ],
  ['spec', 'a procedure that throws: a fault', call('crash'), fault()],
  [
    'spec',
    'a result with a character that XML cannot represent: the response is well-formed',
    call('text.control'),
    readable,
  ],
  ['spec', 'carriage returns in a result are kept', call('text.lines'), value({ string: 'a\r\nb\rc' })],
  [
    'spec',
    'a result with markup',
    ...echo('string', '<string>&lt;a&gt;&amp;amp;]]&gt;</string>', { string: '<a>&amp;]]>' }),
  ],
  ['ours', 'an unknown method: -32601 (Dan Libby)', call('foobar'), fault(-32601)],
  ['ours', 'malformed XML: -32700 (Dan Libby)', '<methodCall', fault(-32700)],
  [
    'interop',
    'system.listMethods',
    call('system.listMethods'),
    values((value) => (value.array?.some((each) => each.string === 'sum') ? undefined : 'no list with sum')),
  ],
  [
    'interop',
    "system.multicall (Eric Kidd; Python's MultiCall)",
    multicall(),
    value({ array: [{ array: [{ number: 3 }] }, { struct: { faultCode: { int: 4 }, faultString: { string: 'x' } } }] }),
  ],
  ['ours', 'an exception: -32603 without its message', call('crash'), all(fault(-32603), lacks(/hunter2/))],
])

function multicall() {
  const entry = (method, ...values) =>
    `<struct>${member('methodName', method)}${member('params', array(...values))}</struct>`
  return call(
    'system.multicall',
    array(entry('sum', '<int>1</int>', '<int>2</int>'), entry('fail', '<int>4</int>', 'x')),
  )
}

export const extensions = group('Extensions that clients send', [
  ['interop', '<nil/> as a parameter and as a result', ...echo('null', '<nil/>', { nil: '' })],
  ['interop', 'no result is <nil/>', call('update', '<int>1</int>'), value({ nil: '' })],
  [
    'interop',
    '<ex:nil/> (Apache)',
    ...echo('null', '<ex:nil xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"/>', { nil: '' }),
  ],
  [
    'interop',
    '<i8> beyond 2^53, without rounding',
    call('echo.any', '<i8>9007199254740993</i8>'),
    value({ int: '9007199254740993' }),
  ],
  ['interop', 'a double with an exponent', ...echo('double', '<double>1.5E-3</double>', { double: 0.0015 })],
  ['interop', 'an int for a double', ...echo('double', '<int>2</int>', { number: 2 })],
  ['interop', 'an integral double is sent as a <double>', ...echo('double', '<double>3.0</double>', { double: 3 })],
  ['interop', 'boolean true (two clients)', ...echo('boolean', '<boolean>true</boolean>', { boolean: '1' })],
  ['interop', 'a date with dashes', ...echo('date', date('1998-07-17T14:08:55'), moment)],
  ['interop', 'a date with a Z', ...echo('date', date('19980717T14:08:55Z'), moment)],
  ['interop', 'a date with an offset: the same instant', ...echo('date', date('19980717T16:08:55+02:00'), moment)],
  ['interop', 'a date with a fraction: the same second', ...echo('date', date('1998-07-17T14:08:55.5Z'), moment)],
])

export const http = group('HTTP', [
  ['spec', 'the response is text/xml', call('sum', '<int>1</int>'), hasHeader('content-type', /^text\/xml\b/)],
  ['spec', 'the response has the right Content-Length', call('echo.string', 'é'), hasContentLength],
  [
    'spec',
    'the response has an XML declaration',
    call('sum', '<int>1</int>'),
    (response) => response.silent ?? (response.text.startsWith('<?xml version="1.0"') ? undefined : 'none'),
  ],
  [
    'interop',
    'a charset after the type',
    '',
    value({ string: 'é' }),
    { send: { headers: { 'Content-Type': 'Text/XML; charset="utf-8"' }, body: call('echo.string', 'é') } },
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
    { send: { headers: { 'Content-Type': 'text/plain' }, body: call('sum', '<int>1</int>') } },
  ],
])
