import { lacks } from '../judge-json.mjs'
import { readable, rejected, value } from '../judge-xml.mjs'
import { call, declaration, echo, group, rejects } from './xmlrpc-call.mjs'

export const documents = group('XML 1.0', [
  ['spec', 'entities', ...echo('string', '<string>&lt;&gt;&amp;&quot;&apos;</string>', { string: '<>&"\'' })],
  ['spec', 'numeric references', ...echo('string', '<string>&#65;&#x42;&#x1FA9A;</string>', { string: 'AB🪚' })],
  ['spec', 'CDATA', ...echo('string', '<string>a<![CDATA[<b>&amp;]]>c</string>', { string: 'a<b>&amp;c' })],
  ['spec', 'a comment in a string', ...echo('string', '<string>a<!-- x -->b</string>', { string: 'ab' })],
  [
    'spec',
    'comments and processing instructions before and after',
    `${declaration}<!-- a --><?b c?>${call('sum', '<int>1</int>').slice(declaration.length)}<!-- d -->`,
    value({ number: 1 }),
  ],
  ['spec', 'line ends become one line feed', ...echo('string', '<string>a\r\nb\rc</string>', { string: 'a\nb\nc' })],
  ['spec', 'no declaration', call('sum', '<int>1</int>').slice(declaration.length), value({ number: 1 })],
  ['spec', 'a byte order mark', `\ufeff${call('sum', '<int>1</int>')}`, value({ number: 1 })],
  [
    'spec',
    'UTF-16 with a byte order mark',
    Buffer.from(`\ufeff${call('echo.string', '<string>é世</string>')}`, 'utf16le'),
    value({ string: 'é世' }),
  ],
  [
    'interop',
    'ISO-8859-1 by its declaration',
    Buffer.from(call('echo.string', '<string>é</string>').replace('?>', ' encoding="ISO-8859-1"?>'), 'latin1'),
    value({ string: 'é' }),
  ],
  [
    'interop',
    'attributes are ignored',
    call('sum', '<int>1</int>').replace('<params>', '<params a="b">'),
    value({ number: 1 }),
  ],
])

export const malformed = group('XML that is malformed: a fatal error (XML 1.0, 1.2)', [
  ['spec', 'an empty body', '', rejected],
  ['spec', 'not XML', 'sum 1 2', rejected],
  ['spec', 'truncated', call('sum', '<int>1</int>').slice(0, -10), rejected],
  ['spec', 'an element that is not closed', call('sum', '<int>1'), rejected],
  ['spec', 'crossed elements', call('sum', '<int>1</value></int>'), rejected],
  ['spec', 'a closing tag in another case', call('sum', '<int>1</INT>'), rejected],
  ['spec', 'two roots', `${call('sum', '<int>1</int>')}<a/>`, rejected],
  ['spec', 'text after the root', `${call('sum', '<int>1</int>')} x`, rejected],
  ['spec', 'a bare ampersand', ...rejects('string', '<string>a & b</string>')],
  ['spec', 'an unknown entity', ...rejects('string', '<string>&nbsp;</string>')],
  ['spec', '&#0;', ...rejects('string', '<string>&#0;</string>')],
  ['spec', 'a control character', ...rejects('string', '<string>a\x01b</string>')],
  ['spec', 'a reference to a control character', ...rejects('string', '<string>&#1;</string>')],
  ['spec', 'a reference to a surrogate', ...rejects('string', '<string>&#xD800;</string>')],
  ['spec', ']]> in text', ...rejects('string', '<string>a]]>b</string>')],
  ['spec', 'two dashes in a comment', ...rejects('string', '<string><!-- a -- b --></string>')],
  ['spec', 'CDATA that does not end', ...rejects('string', '<string><![CDATA[a</string>')],
  ['spec', 'an attribute without quotes', call('sum', '<int a=b>1</int>'), rejected],
  ['spec', 'an attribute twice', call('sum', '<int a="b" a="c">1</int>'), rejected],
  ['spec', 'bytes that are not UTF-8', Buffer.from(call('echo.string', '<string>\xff</string>'), 'latin1'), rejected],
])

export const hostile = group('Hostile documents', [
  ['interop', 'billion laughs: the entities are not expanded', laughs(), lacks(/(ha!){50}/)],
  [
    'interop',
    'an external entity is not read',
    `${declaration}<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${call('echo.string', '&x;').slice(declaration.length)}`,
    lacks(/root:/),
  ],
  [
    'interop',
    '10,000 nested arrays: a response',
    call('echo.any', `${'<array><data><value>'.repeat(10_000)}${'</value></data></array>'.repeat(10_000)}`),
    readable,
  ],
])

function laughs() {
  const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE a [<!ENTITY l0 "ha!">${entities.join('')}]>`
  return `${declaration}${doctype}${call('echo.string', '&l9;').slice(declaration.length)}`
}
