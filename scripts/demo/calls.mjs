/**
 * The calls of the demo, and the one correct response in each protocol. All are written by hand, so that they do not depend on
 * the code that they test.
 *
 * `params` and `result` or `error` are JSON; `xml` are the parameters and `value` or `fault` the response in XML-RPC.
 */
export const calls = [
  {
    about: 'whole numbers in, a double out, by position',
    method: 'price',
    params: [1, 3],
    result: { tool: 'Circular saw', days: 3, total: 13.5 },
    xml: ['<int>1</int>', '<int>3</int>'],
    value: struct({ tool: string('Circular saw'), days: '<int>3</int>', total: '<double>13.5</double>' }),
  },
  {
    about: 'by name; a default and an optional parameter',
    method: 'price',
    params: { toolId: 4, discount: 0.5 },
    result: { tool: 'Jigsaw', days: 7, total: 9.625 },
    xml: ['<int>4</int>', '<int>7</int>', '<double>0.5</double>'],
    value: struct({ tool: string('Jigsaw'), days: '<int>7</int>', total: '<double>9.625</double>' }),
  },
  {
    about: 'a list of structs, with a date',
    method: 'listTools',
    params: ['metal', 1],
    result: [
      {
        id: 2,
        name: 'Angle grinder',
        category: 'metal',
        dailyRate: 3,
        bought: '2019-11-02T14:00:00.000Z',
        size: { width: 12, height: 11.5, depth: 30 },
      },
    ],
    xml: [string('metal'), '<int>1</int>'],
    value: array(
      struct({
        id: '<int>2</int>',
        name: string('Angle grinder'),
        category: string('metal'),
        dailyRate: '<double>3.0</double>',
        bought: '<dateTime.iso8601>20191102T14:00:00</dateTime.iso8601>',
        size: struct({
          width: '<double>12.0</double>',
          height: '<double>11.5</double>',
          depth: '<double>30.0</double>',
        }),
      }),
    ),
  },
  {
    about: 'nested structs and dates, an async procedure',
    method: 'borrow',
    params: [{ user: 'ada', from: '2026-05-04T09:00:00Z', lines: [{ toolId: 1, days: 3 }, { toolId: 4 }] }],
    result: {
      number: 'L-ada-2026-05-04',
      lines: [
        { tool: 'Circular saw', days: 3, total: 13.5 },
        { tool: 'Jigsaw', days: 7, total: 19.25 },
      ],
      total: 32.75,
      due: '2026-05-11T09:00:00.000Z',
    },
    xml: [
      struct({
        user: string('ada'),
        from: '<dateTime.iso8601>20260504T09:00:00</dateTime.iso8601>',
        lines: array(struct({ toolId: '<int>1</int>', days: '<int>3</int>' }), struct({ toolId: '<int>4</int>' })),
      }),
    ],
    value: struct({
      number: string('L-ada-2026-05-04'),
      lines: array(
        struct({ tool: string('Circular saw'), days: '<int>3</int>', total: '<double>13.5</double>' }),
        struct({ tool: string('Jigsaw'), days: '<int>7</int>', total: '<double>19.25</double>' }),
      ),
      total: '<double>32.75</double>',
      due: '<dateTime.iso8601>20260511T09:00:00</dateTime.iso8601>',
    }),
  },
  {
    about: 'bytes out',
    method: 'toolPhoto',
    params: [2],
    result: 'iVBORw0KGgoC',
    xml: ['<int>2</int>'],
    value: '<base64>iVBORw0KGgoC</base64>',
  },
  {
    about: 'bytes in',
    method: 'checkPhoto',
    params: ['iVBORw0KGgoC', 'grinder.png'],
    result: { name: 'grinder.png', size: 9, png: true, checksum: 427 },
    xml: ['<base64>iVBORw0KGgoC</base64>', string('grinder.png')],
    value: struct({
      name: string('grinder.png'),
      size: '<int>9</int>',
      png: '<boolean>1</boolean>',
      checksum: '<int>427</int>',
    }),
  },
  {
    about: 'a dotted name',
    method: 'user.create',
    params: ['Lin & Söhne', '2026-01-02T03:04:05+01:00'],
    result: { id: 3, name: 'Lin & Söhne', joined: '2026-01-02T02:04:05.000Z', tags: [] },
    xml: [string('Lin &amp; Söhne'), '<dateTime.iso8601>20260102T02:04:05</dateTime.iso8601>'],
    value: struct({
      id: '<int>3</int>',
      name: string('Lin &amp; Söhne'),
      joined: '<dateTime.iso8601>20260102T02:04:05</dateTime.iso8601>',
      tags: array(),
    }),
  },
  {
    about: 'a rest parameter',
    method: 'sumFees',
    params: ['CHF', 0.5, 1, 1.25],
    result: { currency: 'CHF', amount: 2.75 },
    xml: [string('CHF'), '<double>0.5</double>', '<int>1</int>', '<double>1.25</double>'],
    value: struct({ currency: string('CHF'), amount: '<double>2.75</double>' }),
  },
  {
    about: 'the signature of a procedure',
    method: 'system.methodSignature',
    params: ['dueDate'],
    result: [
      ['dateTime.iso8601', 'dateTime.iso8601'],
      ['dateTime.iso8601', 'dateTime.iso8601', 'int'],
    ],
    xml: [string('dueDate')],
    value: array(
      array(string('dateTime.iso8601'), string('dateTime.iso8601')),
      array(string('dateTime.iso8601'), string('dateTime.iso8601'), string('int')),
    ),
  },
  {
    about: 'an RpcError: its code, message and data are sent',
    method: 'getTool',
    params: [99],
    error: { code: 404, message: 'No such tool: 99', data: { id: 99 } },
    xml: ['<int>99</int>'],
    fault: fault(404, 'No such tool: 99'),
  },
  {
    about: 'any other error: no details are sent',
    method: 'closeBooks',
    params: ['2026-05-04T00:00:00Z'],
    error: { code: -32603, message: 'Internal error' },
    xml: ['<dateTime.iso8601>20260504T00:00:00</dateTime.iso8601>'],
    fault: fault(-32603, 'Internal error'),
  },
  {
    about: 'a parameter of the wrong type',
    method: 'price',
    params: ['one'],
    error: {
      code: -32602,
      message: 'Invalid params: toolId: expected int, received string of length 3',
      data: [{ path: ['toolId'], code: 'type', limit: 'int', expected: 'int', received: 'string of length 3' }],
    },
    xml: [string('one')],
    fault: fault(-32602, 'Invalid params: toolId: expected int, received string of length 3'),
  },
]

function string(text) {
  return `<string>${text}</string>`
}

function struct(members) {
  const member = ([name, value]) => `<member><name>${name}</name><value>${value}</value></member>`
  return `<struct>${Object.entries(members).map(member).join('')}</struct>`
}

function array(...values) {
  return `<array><data>${values.map((value) => `<value>${value}</value>`).join('')}</data></array>`
}

function fault(code, text) {
  return struct({ faultCode: `<int>${code}</int>`, faultString: string(text) })
}
