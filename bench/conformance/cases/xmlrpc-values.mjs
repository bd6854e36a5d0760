import { all } from '../judge-json.mjs'
import { value, values } from '../judge-xml.mjs'
import { array, call, date, echo, group, member, moment, rejects } from './xmlrpc-call.mjs'

const text = 'é 世界 🪚 "\' ]]'

export const scalars = group('Scalars', [
  ['spec', '<i4>', ...echo('int', '<i4>41</i4>', { int: 41 })],
  ['spec', '<int>', ...echo('int', '<int>-12</int>', { int: -12 })],
  ['spec', 'the smallest int', ...echo('int', '<int>-2147483648</int>', { int: -2147483648 })],
  ['spec', 'an int with a plus sign', ...echo('int', '<int>+5</int>', { int: 5 })],
  ['spec', 'boolean 1', ...echo('boolean', '<boolean>1</boolean>', { boolean: '1' })],
  ['spec', 'boolean 0', ...echo('boolean', '<boolean>0</boolean>', { boolean: '0' })],
  ['spec', 'a double', ...echo('double', '<double>-12.214</double>', { double: -12.214 })],
  ['spec', 'a small double: no exponent in the response', ...small()],
  ['spec', 'a string', ...echo('string', `<string>${text}</string>`, { string: text })],
  ['spec', 'a value without a type is a string', ...echo('string', 'hello world', { string: 'hello world' })],
  ['spec', 'an empty string', ...echo('string', '<string></string>', { string: '' })],
  ['spec', '<string/>', ...echo('string', '<string/>', { string: '' })],
  ['spec', 'an empty value is an empty string', ...echo('string', '', { string: '' })],
  [
    'spec',
    'white space in a string is kept',
    ...echo('string', '<string>  a\n b\t </string>', { string: '  a\n b\t ' }),
  ],
  ['spec', 'white space without a type is kept', ...echo('string', '  a ', { string: '  a ' })],
  ['spec', 'a string of white space alone', ...echo('string', '<string>  </string>', { string: '  ' })],
  ['spec', 'a date', ...echo('date', date('19980717T14:08:55'), moment)],
  ['spec', 'base64', ...echo('bytes', '<base64>iVBORw0KGgo=</base64>', { base64: 'iVBORw0KGgo=' })],
  [
    'spec',
    'base64 over several lines',
    ...echo('bytes', '<base64>\niVBO\r\nRw0K Ggo=\n</base64>', { base64: 'iVBORw0KGgo=' }),
  ],
  ['spec', 'empty base64', ...echo('bytes', '<base64></base64>', { base64: '' })],
])

function small() {
  const written = (value) => (/^-?\d*\.?\d+$/.test(value.double ?? '') ? undefined : `writes ${JSON.stringify(value)}`)
  return [call('echo.double', '<double>0.0000001</double>'), all(value({ double: 1e-7 }), values(written))]
}

export const compound = group('Arrays and structs', [
  ['spec', 'an array', ...echo('array', array('<int>1</int>', '<int>2</int>'), { array: [{ int: 1 }, { int: 2 }] })],
  [
    'spec',
    'an array of several types',
    ...echo('any', array('<int>1</int>', 'a', '<boolean>0</boolean>'), {
      array: [{ int: 1 }, { string: 'a' }, { boolean: '0' }],
    }),
  ],
  ['spec', 'an empty array', ...echo('any', '<array><data></data></array>', { array: [] })],
  ['spec', 'an empty array: <data/>', ...echo('any', '<array><data/></array>', { array: [] })],
  [
    'spec',
    'an array in an array',
    ...echo('any', array(array('<int>1</int>'), array()), { array: [{ array: [{ int: 1 }] }, { array: [] }] }),
  ],
  [
    'spec',
    'a struct',
    ...echo('any', `<struct>${member('lowerBound', '<i4>18</i4>')}${member('upperBound', '<i4>139</i4>')}</struct>`, {
      struct: { lowerBound: { int: 18 }, upperBound: { int: 139 } },
    }),
  ],
  ['spec', 'an empty struct', ...echo('any', '<struct></struct>', { struct: {} })],
  [
    'spec',
    'a struct in a struct',
    ...echo('any', `<struct>${member('a', `<struct>${member('b', array('x'))}</struct>`)}</struct>`, {
      struct: { a: { struct: { b: { array: [{ string: 'x' }] } } } },
    }),
  ],
  [
    'spec',
    'names with every character',
    ...echo('any', `<struct>${member('é &lt;&amp; 🪚', 'x')}</struct>`, { struct: { 'é <& 🪚': { string: 'x' } } }),
  ],
  [
    'spec',
    'a member called __proto__ is kept',
    ...echo('any', `<struct>${member('__proto__', 'x')}${member('b', 'y')}</struct>`, {
      struct: JSON.parse('{"__proto__":{"string":"x"},"b":{"string":"y"}}'),
    }),
  ],
  [
    'spec',
    'a member called constructor is kept',
    ...echo('any', `<struct>${member('constructor', 'x')}</struct>`, { struct: { constructor: { string: 'x' } } }),
  ],
  [
    'interop',
    'white space everywhere between elements',
    ...echo('array', `\n <array> <data>\n<value> <int>1</int> </value>\n </data> </array> `, { array: [{ int: 1 }] }),
  ],
  [
    'ours',
    'a value before its name',
    ...echo('any', '<struct><member><value>x</value><name>a</name></member></struct>', {
      struct: { a: { string: 'x' } },
    }),
  ],
  [
    'ours',
    'duplicate members: the last wins',
    ...echo('any', `<struct>${member('a', 'x')}${member('a', 'y')}</struct>`, { struct: { a: { string: 'y' } } }),
  ],
])

export const wrong = group('Invalid values', [
  ['spec', 'an int beyond 32 bits', ...rejects('int', '<int>2147483648</int>')],
  ['spec', 'an int with a fraction', ...rejects('int', '<int>1.5</int>')],
  ['spec', 'an int that is a word', ...rejects('int', '<int>one</int>')],
  ['spec', 'an int with a word after it', ...rejects('int', '<int>12abc</int>')],
  ['spec', 'an empty int', ...rejects('int', '<int></int>')],
  ['spec', 'an int in hexadecimal', ...rejects('int', '<int>0x10</int>')],
  ['spec', 'boolean 2', ...rejects('boolean', '<boolean>2</boolean>')],
  ['spec', 'an empty boolean', ...rejects('boolean', '<boolean></boolean>')],
  ['spec', 'a double with a word after it', ...rejects('double', '<double>1.5abc</double>')],
  ['spec', 'a double that is Infinity', ...rejects('double', '<double>Infinity</double>')],
  ['spec', 'base64 with a wrong character', ...rejects('bytes', '<base64>iVBO!w0KGgo=</base64>')],
  ['spec', 'a date that is a word', ...rejects('date', date('yesterday'))],
  ['spec', 'a date with a month 13', ...rejects('date', date('19981317T14:08:55'))],
  ['spec', '31 February', ...rejects('date', date('19980231T14:08:55'))],
  ['spec', 'an unknown type', ...rejects('any', '<float>1.5</float>')],
  ['spec', 'two types in one value', ...rejects('any', '<int>1</int><int>2</int>')],
  ['spec', 'text next to a type', ...rejects('any', 'a<int>1</int>')],
  ['spec', 'an array with a value next to <data>', ...rejects('any', '<array><value>x</value></array>')],
  ['spec', 'a member without a name', ...rejects('any', '<struct><member><value>x</value></member></struct>')],
])
