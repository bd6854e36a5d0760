import { callJson, callXml } from '../../support/requests.js'

const mega = 1_000_000
const fill = (text: string, size = mega) => text.repeat(Math.floor(size / text.length))

const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
const doctype = (inside: string, use: string) =>
  `<?xml version="1.0"?><!DOCTYPE r [${inside}]>${callXml('kindOf', use)}`

/** The billion laughs and their relatives. */
export const laughter: Readonly<Record<string, string>> = {
  'a billion laughs': doctype(`<!ENTITY l0 "ha">${laughs}`, '&l20;'),
  'quadratic blow-up': doctype(`<!ENTITY a "${fill('a', 50_000)}">`, fill('&a;', 50_000)),
  'an entity that names itself': doctype('<!ENTITY a "&b;"><!ENTITY b "&a;">', '&a;'),
  'parameter entities': doctype('<!ENTITY % a "<!ENTITY b &#34;c&#34;>">%a;', '&b;'),
  'an external entity': doctype('<!ENTITY a SYSTEM "file:///etc/hostname">', '&a;'),
  'an external subset': `<!DOCTYPE r SYSTEM "http://127.0.0.1:9/a.dtd">${callXml('kindOf', '')}`,
  'an attribute list with defaults': doctype('<!ATTLIST value a CDATA "&lt;">', ''),
  'an entity in an attribute': doctype('<!ENTITY a "b">', '').replace('<params>', '<params a="&a;">'),
  'an entity without a doctype': `<!ENTITY a "b">${callXml('kindOf', '')}`,
  'a doctype inside': callXml('kindOf', '<!DOCTYPE a>'),
  'a doctype with another letter': callXml('kindOf', '<!\u0110OCTYPE a>'),
  'undeclared references': callXml('kindOf', fill('&lol;')),
}

/** What a body may be that costs more than it should, by its Content-Type. */
export const bodies: readonly (readonly [name: string, type: 'application/json' | 'text/xml', body: string])[] = [
  ['100,000 arrays', 'application/json', callJson('kindOf', fill('[', 100_000) + fill(']', 100_000))],
  ['100,000 arrays', 'text/xml', callXml('kindOf', `${'<array><data><value>'.repeat(100_000)}`)],
  ['more than the limit', 'application/json', fill(' ', 5 * mega)],
  ['a long string', 'application/json', callJson('echo.string', `["${fill('a')}"]`)],
  ['a long string', 'text/xml', callXml('echo.string', fill('a'))],
  ['a long name', 'text/xml', callXml('echo.record', `<struct><member><name>${fill('n')}</name></member></struct>`)],
  ['names', 'application/json', callJson('echo.any', `[{${Array.from({ length: 20_000 }, (_, i) => `"n${i}":1`)}}]`)],
  ['an unknown method', 'application/json', callJson(fill('m'), '[]')],
  ['a batch of rubbish', 'application/json', `[${'1,'.repeat(999)}1]`],
  ['a batch too large', 'application/json', `[${'1,'.repeat(100_000)}1]`],
  ['digits', 'application/json', callJson('echo.bigint', `[${fill('9', 100_000)}]`)],
  ['attributes', 'text/xml', callXml('kindOf', fill('<a b="c"/>', 200_000))],
  ['attributes, too many', 'text/xml', callXml('kindOf', fill('<a b="c"/>'))],
  [
    'a multicall of errors',
    'text/xml',
    callXml('system.multicall', `<array><data>${'<value><x/></value>'.repeat(20_000)}</data></array>`),
  ],
  ['an unclosed comment', 'text/xml', `<!--${fill('-')}`],
  ['entities', 'text/xml', callXml('echo.string', fill('&amp;', 300_000))],
]
