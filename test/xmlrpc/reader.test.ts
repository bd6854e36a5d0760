import { describe, expect, test } from 'vitest'
import { RpcInsecureRequest, RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { readXml } from '../../runtime/xmlrpc/reader.js'

const read = (text: string) => readXml(text, 778)

/** What is thrown, so that its class, code and message can be told. */
function failure(text: string): unknown {
  try {
    return { read: read(text) }
  } catch (error) {
    return error
  }
}

const malformed: readonly (readonly [text: string, message: string])[] = [
  ['', 'line 1, column 1: expected an element, found the end'],
  ['  \n ', 'line 2, column 2: expected an element, found the end'],
  ['hello', 'line 1, column 1: text outside of the root element'],
  ['{"jsonrpc":"2.0"}', 'line 1, column 1: text outside of the root element'],
  ['<', 'line 1, column 1: expected the name of an element behind <'],
  ['<a>', 'line 1, column 4: expected </a>, found the end'],
  ['<a', 'line 1, column 3: expected an attribute, > or /> in <a>'],
  ['<a></a', 'line 1, column 4: a closing tag that is malformed'],
  ['<a><b></a></b>', 'line 1, column 7: expected </b>, found </a>'],
  ['<a><b></a>', 'line 1, column 7: expected </b>, found </a>'],
  ['</a>', 'line 1, column 1: expected the end, found </a>'],
  ['<a/></a>', 'line 1, column 5: expected the end, found </a>'],
  ['<a></a/>', 'line 1, column 4: a closing tag that is malformed'],
  ['<a></ a>', 'line 1, column 4: a closing tag that is malformed'],
  ['<a></a b="c">', 'line 1, column 4: a closing tag that is malformed'],
  ['<a/><b/>', 'line 1, column 5: a second root element <b>'],
  ['<a></a>\n<a></a>', 'line 2, column 1: a second root element <a>'],
  ['<a/>x', 'line 1, column 5: text outside of the root element'],
  ['<a></a>\r\n x', 'line 2, column 2: text outside of the root element'],
  ['<a/><![CDATA[]]>', 'line 1, column 5: text outside of the root element'],
  ['&#32;<a/>', 'line 1, column 1: text outside of the root element'],
  ['< a/>', 'line 1, column 1: expected the name of an element behind <'],
  ['<1/>', 'line 1, column 1: expected the name of an element behind <'],
  ['<a>1 < 2</a>', 'line 1, column 6: expected the name of an element behind <'],
  ['<a>]]></a>', 'line 1, column 4: ]]> is not allowed in text'],
  ['<a>x & y</a>', 'line 1, column 6: expected &amp; for a bare &'],
  ['<a>&</a>', 'line 1, column 4: expected &amp; for a bare &'],
  ['<a>&amp</a>', 'line 1, column 4: expected &amp; for a bare &'],
  ['<a>&;</a>', 'line 1, column 4: expected &amp; for a bare &'],
  ['<a>\n\n  &am<!-- -->p;</a>', 'line 3, column 3: expected &amp; for a bare &'],
  ['<a>\n\n      &nbsp;</a>', 'line 3, column 7: unknown entity &nbsp;'],
  ['<a>&copy;</a>', 'line 1, column 4: unknown entity &copy;'],
  ['<a>&AMP;</a>', 'line 1, column 4: unknown entity &AMP;'],
  ['<a>&#X41;</a>', 'line 1, column 4: unknown entity &#X41;'],
  ['<a>&#;</a>', 'line 1, column 4: unknown entity &#;'],
  ['<a>&#x;</a>', 'line 1, column 4: unknown entity &#x;'],
  ['<a>&#4f;</a>', 'line 1, column 4: unknown entity &#4f;'],
  ['<a>&#0;</a>', 'line 1, column 4: a character that XML does not allow: &#0;'],
  ['<a>&#1;</a>', 'line 1, column 4: a character that XML does not allow: &#1;'],
  ['<a>&#x1F;</a>', 'line 1, column 4: a character that XML does not allow: &#x1F;'],
  ['<a>&#xD800;</a>', 'line 1, column 4: a character that XML does not allow: &#xD800;'],
  ['<a>&#xd83d;&#xde00;</a>', 'line 1, column 4: a character that XML does not allow: &#xd83d;'],
  ['<a>&#xFFFE;</a>', 'line 1, column 4: a character that XML does not allow: &#xFFFE;'],
  ['<a>&#x110000;</a>', 'line 1, column 4: a character that XML does not allow: &#x110000;'],
  ['<a>&#99999999999999999999;</a>', 'line 1, column 4: a character that XML does not allow: &#99999999999999999999;'],
  ['<a>x\0</a>', 'line 1, column 5: U+0000 is not allowed in XML'],
  ['<a>\x01</a>', 'line 1, column 4: U+0001 is not allowed in XML'],
  ['<a>\x1b[0m</a>', 'line 1, column 4: U+001B is not allowed in XML'],
  ['<a>\uffff</a>', 'line 1, column 4: U+FFFF is not allowed in XML'],
  ['<a>\ud83d</a>', 'line 1, column 4: U+D83D is not allowed in XML'],
  ['<a><![CDATA[\x02]]></a>', 'line 1, column 13: U+0002 is not allowed in XML'],
  ['<a><![CDATA[x</a>', 'line 1, column 4: a CDATA section that does not end'],
  ['<a><![cdata[x]]></a>', 'line 1, column 4: expected a comment or a CDATA section behind <!'],
  ['<a><!-- x -- y --></a>', 'line 1, column 11: -- is not allowed in a comment'],
  ['<a><!-- x ---></a>', 'line 1, column 11: -- is not allowed in a comment'],
  ['<a><!-- x </a>', 'line 1, column 4: a comment that does not end'],
  ['<a><!-></a>', 'line 1, column 4: expected a comment or a CDATA section behind <!'],
  [' <?xml version="1.0"?><a/>', 'line 1, column 2: an XML declaration stands at the very start only'],
  ['<a><?xml version="1.0"?></a>', 'line 1, column 4: an XML declaration stands at the very start only'],
  ['<?xml?><a/>', 'line 1, column 1: the XML declaration is malformed'],
  ['<?xml version="2.0"?><a/>', 'line 1, column 1: the XML declaration is malformed'],
  ['<?xml encoding="utf-8"?><a/>', 'line 1, column 1: the XML declaration is malformed'],
  ['<?XML version="1.0"?><a/>', 'line 1, column 1: the XML declaration is malformed'],
  ['<a><? x ?></a>', 'line 1, column 4: expected the name of a processing instruction behind <?'],
  ['<a><?x </a>', 'line 1, column 4: a processing instruction that does not end'],
  ['<a b/>', 'line 1, column 3: expected an attribute, > or /> in <a>'],
  ['<a b=c/>', 'line 1, column 3: expected an attribute, > or /> in <a>'],
  ['<a b="c/>', 'line 1, column 3: expected an attribute, > or /> in <a>'],
  ['<a b="<"/>', 'line 1, column 3: expected an attribute, > or /> in <a>'],
  ['<a b="1"c="2"/>', 'line 1, column 9: expected an attribute, > or /> in <a>'],
  ['<a b="1" b="2"/>', 'line 1, column 9: a second attribute b'],
  ['<a b="&nbsp;"/>', 'line 1, column 7: unknown entity &nbsp;'],
  ['<a b="&#0;"/>', 'line 1, column 7: a character that XML does not allow: &#0;'],
]

describe('malformed documents', () => {
  test.each(malformed)('%j', (text, message) => {
    const error = failure(text)
    expect(error).toBeInstanceOf(RpcParseError)
    expect(error).toMatchObject({ code: -32700, message: `Parse error: ${message}` })
  })
})

describe('insecure documents', () => {
  test.each([
    '<!DOCTYPE a><a/>',
    '<!doctype a><a/>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    '<a><!ENTITY x "y"></a>',
    '<a><!DOCTYPE a></a>',
  ])('%s', (text) => {
    const error = failure(text)
    expect(error).toBeInstanceOf(RpcInsecureRequest)
    expect(error).toMatchObject({ code: -32700 })
  })

  test('as text they are text', () => {
    expect(read('<a><![CDATA[<!DOCTYPE a>]]><!-- <!ENTITY x "y"> --></a>').children).toEqual(['<!DOCTYPE a>'])
  })
})

describe('odd and well-formed documents', () => {
  const a = (...children: readonly unknown[]) => ({ name: 'a', children })
  const b = (...children: readonly unknown[]) => ({ name: 'b', children })

  test.each([
    ['<a/>', a()],
    ['<a></a>', a()],
    ['<a />', a()],
    ['<a\n></a\t>', a()],
    ['\ufeff<a/>', a()],
    ['\ufeff<?xml version="1.0"?><a/>', a()],
    ["<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<a/>\n", a()],
    ['<?xml version="1.1"?><a/>', a()],
    ['\n  <!-- before --> <a/> <!-- behind -->\n', a()],
    ['<?php echo "it\'s" ?><a>x</a><?end?>', a('x')],
    ["<a><?it don't?><b>'</b></a>", a(b("'"))],
    ['<a>x<?p?>y<!-- </a> & < -->z</a>', a('xyz')],
    ['<a><!----></a>', a()],
    ['<a><!-->--></a>', a()],
    ['<a>  x  </a>', a('  x  ')],
    ['<a>\n\t<b/>\n</a>', a('\n\t', b(), '\n')],
    ['<a>1<b>2</b>3</a>', a('1', b('2'), '3')],
    ['<a>&lt;&gt;&amp;&quot;&apos;</a>', a('<>&"\'')],
    ['<a>&amp;lt; &amp;#65;</a>', a('&lt; &#65;')],
    ['<a>&#65;&#x42;&#x63;&#x1F600;&#9;&#10;&#13;</a>', a('ABc😀\t\n\r')],
    [`<a>&#${'0'.repeat(40)}65;</a>`, a('A')],
    ['<a>x\r\ny\rz\n</a>', a('x\ny\nz\n')],
    ['<a><![CDATA[<b>&amp;</b>]]></a>', a('<b>&amp;</b>')],
    ['<a>x<![CDATA[]]>y<![CDATA[ ]] ]>]]></a>', a('x', '', 'y', ' ]] ]>')],
    ['<a><![CDATA[1\r\n2]]></a>', a('1\n2')],
    ['<a> > " \' ] ]] ]>></a>', a(' > " \' ] ]] ]>>')],
    ['<a x="1" y=\'2 > "\' xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"><b z = "/"/></a>', a(b())],
    ['<a\r\n\tx="&amp;&#65;"\r\n/>', a()],
    ['<a>007</a>', a('007')],
    ['<a>true</a>', a('true')],
    ['<a>1e3</a>', a('1e3')],
    ['<a>é€😀\u0085\u00a0\u2028\ufffd</a>', a('é€😀\u0085\u00a0\u2028\ufffd')],
    ['<a><ex:nil/><é-1._/></a>', a({ name: 'ex:nil', children: [] }, { name: 'é-1._', children: [] })],
  ])('%j', (text, root) => {
    expect(read(text)).toEqual(root)
  })

  test.each(['constructor', '__proto__', 'prototype'])('an element <%s> is no element of XML-RPC', (name) => {
    expect(failure(`<a><${name}>x</${name}></a>`)).toBeInstanceOf(RpcInvalidRequest)
  })

  test('more references than any limit on expansions', () => {
    expect(read(`<a>${'&lt;&#65;'.repeat(200_000)}</a>`).children).toEqual(['<A'.repeat(200_000)])
  })
})

describe('nesting', () => {
  const nest = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)

  test('up to the limit', () => {
    expect(readXml(nest(10), 10)).toHaveProperty('name', 'a')
  })

  test('beyond it', () => {
    const error = () => readXml(nest(11), 10)
    expect(error).toThrow(RpcInvalidRequest)
    expect(error).toThrow('Invalid Request: elements nested deeper than 10')
  })

  test('a hundred thousand levels', () => {
    expect(failure(nest(100_000))).toMatchObject({ code: -32600 })
    expect(failure('<a>'.repeat(100_000))).toMatchObject({ code: -32600 })
  })
})

test('long names are cut in messages', () => {
  const error = failure(`<a><${'b'.repeat(10_000)}>`) as Error
  expect(error.message.length).toBeLessThan(200)
})
