import fc from 'fast-check'

// Calls in whatever form XML allows, and in forms that it does not.

const rarely = <T>(usual: fc.Arbitrary<T>, ...odd: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 40, arbitrary: usual }, ...odd.map((arbitrary) => ({ weight: 1, arbitrary })))

const one = fc.constant

/** Text that may be between two elements. */
const between: fc.Arbitrary<string> = rarely(
  fc.constantFrom('', '', '\n', '\r\n  '),
  fc.constantFrom(
    '<!-- -->',
    '<!--<a>&]]>-->',
    '<?p?>',
    '<?p <a> ?>',
    '<![CDATA[ ]]>',
    '&#32;',
    ' <!----> \n',
    'x',
    '&#160;',
  ),
)

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'ab01.- \n\t_:') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '&lt;',
        '&amp;',
        '&gt;',
        '&quot;',
        '&apos;',
        '&#65;',
        '&#x1F600;',
        '&#13;',
        '&#10;',
        '\r',
        '\r\n',
        ']',
        ']]',
        '>',
      ],
      ...[
        'é',
        '😀',
        '\u2028',
        '\u0085',
        '\ufffd',
        '<![CDATA[<a>&amp;]]>',
        '<![CDATA[]]>',
        '<!-- c -->',
        '<?p q?>',
        "'",
        '"',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '&',
        '<',
        ']]>',
        '&nbsp;',
        '&#0;',
        '&#xD800;',
        '&#x110000;',
        '\0',
        '\x1f',
        '\x7f',
        '\uffff',
        '\ud800',
        '<b/>',
        '</b>',
      ],
    ),
  },
)

const text = rarely(
  fc.array(character, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ minLength: 20, maxLength: 60 }).map((long) => long.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
)

const integer = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
  fc.constantFrom(
    '-0',
    '+1',
    '007',
    '',
    ' 5\n',
    '1 2',
    '&#49;',
    '1<!-- -->2',
    '<![CDATA[3]]>',
    '999999999999999',
    '١',
    '0x1',
  ),
)
const decimal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '-0.0',
    '1.',
    '.5',
    '1e3',
    '1E-3',
    ' 2.5 ',
    '',
    'NaN',
    `${'9'.repeat(310)}.0`,
    '1.0000000000000001',
    '+1.0',
  ),
)

/** A tag, seldom in another form than everybody's. */
function tags(name: string): fc.Arbitrary<readonly [open: string, close: string]> {
  return rarely(
    one([`<${name}>`, `</${name}>`] as const),
    one([`<${name} >`, `</${name}\n>`] as const),
    fc.constantFrom(
      [`<${name} a="1">`, `</${name}>`] as const,
      [`<${name}\tx:y = '&lt;>' b="">`, `</${name}>`] as const,
      [`<${name} a="1" a="2">`, `</${name}>`] as const,
      [`<x:${name}>`, `</x:${name}>`] as const,
      [`<${name}>`, `</${name}x>`] as const,
      [`<${name.toUpperCase()}>`, `</${name.toUpperCase()}>`] as const,
      [`<é${name}>`, `</é${name}>`] as const,
    ),
  )
}

function element(name: string, content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(tags(name), rarely(content, one(''))).map(([[open, close], inside]) => {
    return inside === '' && open.endsWith('>') ? `${open.slice(0, -1)}/>` : open + inside + close
  })
}

/** Elements side by side. */
function list(...elements: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(between, ...elements.map((each) => fc.tuple(each, between)))
    .map(([first, ...others]) => first + others.flat().join(''))
}

function some(each: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(between, fc.array(fc.tuple(each, between), { maxLength: 3 }))
    .map(([first, others]) => first + others.flat().join(''))
}

const scalar = fc.oneof(
  text,
  element('string', text),
  fc
    .constantFrom('int', 'i4', 'i8', 'ex:i1', 'ex:i2', 'ex:i8', 'ex:biginteger')
    .chain((name) => element(name, integer)),
  fc.constantFrom('double', 'ex:float').chain((name) => element(name, decimal)),
  element('boolean', fc.constantFrom('0', '1', 'true', 'false', ' 1 ', '2', '')),
  element(
    'dateTime.iso8601',
    fc.constantFrom(
      '19980717T14:08:55',
      '2024-02-29T12:34:56.789+02:00',
      ' 19980717T14:08:55Z ',
      '19980230T00:00:00',
      'x',
    ),
  ),
  element('base64', fc.constantFrom('AAEC/w==', ' AA\nEC ', '', 'A', '=', '&#65;AAA')),
  fc.constantFrom('nil', 'ex:nil', 'x', 'toString').chain((name) => element(name, one(''))),
)

const { value } = fc.letrec<{ value: string; type: string; struct: string; array: string }>((tie) => ({
  value: element('value', tie('type')),
  type: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: rarely(scalar, list(scalar), list(scalar, scalar)) },
    { weight: 1, arbitrary: list(tie('struct')) },
    { weight: 1, arbitrary: list(tie('array')) },
  ),
  array: element('array', rarely(list(element('data', some(tie('value')))), list(), one('x'))),
  struct: element(
    'struct',
    some(
      element(
        'member',
        rarely(
          list(element('name', fc.oneof(text, fc.constantFrom('a', 'b', '__proto__', 'constructor'))), tie('value')),
          list(tie('value'), element('name', text)),
          list(tie('value')),
          list(element('name', text), tie('value'), tie('value')),
        ),
      ),
    ),
  ),
}))

const method = element('methodName', rarely(fc.constantFrom('m', 'a.b', 'system.multicall'), text))
const params = element('params', some(element('param', rarely(list(value), list(), list(value, value)))))
const body = rarely(
  list(method, params),
  list(params, method),
  list(method),
  list(params),
  list(method, params, params),
)

const start = rarely(
  fc.constantFrom(
    '',
    "<?xml version='1.0'?>\n",
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<?xml version="1.0" ?>\r\n',
    '\ufeff',
  ),
  fc.constantFrom(
    '\ufeff<?xml version="1.0"?><!-- c -->',
    '\n<!-- a --><?p?>',
    '<?xml version="1.1" standalone="yes"?>',
    '<?xml version="1.0" encoding="1"?>',
    ' <?xml version="1.0"?>',
    '<?xml?>',
    '<!DOCTYPE a>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    'x',
  ),
)
const end = rarely(
  fc.constantFrom('', '\n'),
  fc.constantFrom('<!-- -->', '<?p?>', 'x', '<a/>', '</a>', '&#32;', '<![CDATA[]]>'),
)

/** A document that is a call, mostly. */
export const call: fc.Arbitrary<string> = fc
  .tuple(start, element('methodCall', body), end)
  .map(([before, root, behind]) => before + root + behind)

/** What a mutation puts somewhere. */
const scrap = fc.oneof(
  character,
  fc.constantFrom(
    '<',
    '>',
    '/',
    '<!',
    '<?',
    '?>',
    '<!--',
    '-->',
    ']]>',
    '<![CDATA[',
    '&',
    ';',
    '=',
    '"',
    ' ',
    '<value>',
    '</value>',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

const cut = fc.record({ at: fc.nat(1000), length: fc.nat({ max: 12 }), scrap: fc.option(scrap, { nil: '' }) })

/** A text in which a few places have been replaced, cut out or filled. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(texts, fc.array(cut, { minLength: 1, maxLength: 3 })).map(([text, cuts]) =>
    cuts.reduce((left, { at, length, scrap }) => {
      const from = left.length === 0 ? 0 : at % (left.length + 1)
      return left.slice(0, from) + scrap + left.slice(from + (at % 2 === 0 ? 0 : length))
    }, text),
  )
}
