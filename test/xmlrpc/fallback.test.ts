import { describe, expect, test } from 'vitest'
import { RpcInsecureRequest, RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { readXml } from '../../runtime/xmlrpc/fallback.js'
import { malformed } from './malformed.js'

const read = (text: string) => readXml(text, 778)

/** What is thrown, so that its class, code and message can be told. */
function failure(text: string): unknown {
  try {
    return { read: read(text) }
  } catch (error) {
    return error
  }
}

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

test('long names are not in messages', () => {
  const error = failure(`<a><${'b'.repeat(10_000)}>`) as Error
  expect(error.message.length).toBeLessThan(200)
})
