import { expect } from 'vitest'

/** A value as test/clients/showcase.py prints it. */
export type Tagged = Readonly<Record<string, unknown>>

export const none: Tagged = { none: null }
const bool = (value: boolean): Tagged => ({ bool: value })
const int = (text: string): Tagged => ({ int: text })
const float = (text: string): Tagged => ({ float: text })
const str = (text: string): Tagged => ({ str: text })
const datetime = (text: string): Tagged => ({ datetime: text })
const list = (...items: Tagged[]): Tagged => ({ list: items })
const dict = (members: Readonly<Record<string, Tagged>>): Tagged => ({ dict: members })
export const fault = (code: number, text: unknown): Tagged => ({ fault: [code, text] })
const strings = (...texts: string[]): Tagged => list(...texts.map(str))

const jigsaw = {
  id: int('4'),
  name: str('Jigsaw'),
  category: str('wood'),
  dailyRate: float('2.75'),
  size: dict({ width: float('7.5'), height: float('20.0'), depth: float('23.0') }),
}
const saw = dict({
  id: int('1'),
  name: str('Circular saw'),
  category: str('wood'),
  dailyRate: float('4.5'),
  bought: datetime('2021-03-15T09:30:00'),
  size: dict({ width: float('24.5'), height: float('26.0'), depth: float('40.25') }),
  note: str('New blade & guard'),
})
const grinder = dict({
  id: int('2'),
  name: str('Angle grinder'),
  category: str('metal'),
  dailyRate: float('3.0'),
  bought: datetime('2019-11-02T14:00:00'),
  size: dict({ width: float('12.0'), height: float('11.5'), depth: float('30.0') }),
})
const trimmer = dict({
  id: int('3'),
  name: str('Hedge trimmer'),
  category: str('garden'),
  dailyRate: float('5.25'),
  bought: datetime('2023-06-30T00:00:00'),
  size: dict({ width: float('21.0'), height: float('19.75'), depth: float('98.0') }),
})
const start = datetime('2026-05-04T09:00:00')
const newUser = { id: int('3'), joined: start, tags: list() }
export const quoted = (tool: string, days: string, total: string) =>
  dict({ tool: str(tool), days: int(days), total: float(total) })
const greeting = (text: string) => dict({ text: str(text), transport: str('http'), protocol: str('xml-rpc') })

/** What Python's client has to get, by the name that the question has in test/clients/showcase.py. */
export const expected: Readonly<Record<string, Tagged>> = {
  listTools: list(saw, grinder, trimmer, dict({ ...jigsaw, bought: datetime('2020-02-29T08:15:45') })),
  'listTools category': list(trimmer),
  'listTools limit': list(saw),
  'listTools other category': fault(
    -32602,
    'Invalid params: category: expected "garden" | "metal" | "wood", received string of length 5',
  ),
  getTool: dict({ ...jigsaw, bought: datetime('2020-02-29T08:15:45') }),
  'getTool plain': dict({ ...jigsaw, bought: { DateTime: '20200229T08:15:45' } }),
  'getTool absent': fault(404, 'No such tool: 99'),
  toolPhoto: { bytes: '89504e470d0a1a0a02' },
  'toolPhoto plain': { Binary: '89504e470d0a1a0a02' },
  checkPhoto: dict({ name: str('photo.png'), size: int('9'), png: bool(true), checksum: int('427') }),
  'checkPhoto plain': dict({ name: str('empty.png'), size: int('0'), png: bool(false), checksum: int('0') }),
  'checkPhoto long': dict({ name: str('noise'), size: int('1024'), png: bool(false), checksum: int('130560') }),
  serialNumber: int('9007199254740993'),
  'kilograms integral': int('2'),
  'kilograms fraction': float('1.5'),
  'user.create': dict({ ...newUser, name: str('Lin & Söhne <x> 🪚') }),
  'user.create all': dict({
    ...newUser,
    name: str(' Lin '),
    address: dict({ street: str('A'), city: str('B'), zip: str('') }),
    tags: strings('new', ''),
  }),
  'user.create undeclared': dict({
    ...newUser,
    name: str('Lin'),
    address: dict({ street: str('A'), city: str('B') }),
  }),
  'user.create plain': dict({ ...newUser, name: str('Lin'), joined: { DateTime: '20260504T09:00:00' } }),
  'user.find': dict({
    id: int('1'),
    name: str('Ada'),
    joined: datetime('2020-01-31T12:00:00'),
    address: dict({ street: str('Mill Lane 1'), city: str('York'), zip: str('YO1 7AA') }),
    tags: strings('keyholder', 'board'),
  }),
  'user.find none': none,
  greet: greeting('Hello, Ada!'),
  'greet greeting': greeting('Good morning, Ada!'),
  dueDate: datetime('2026-05-18T09:00:00'),
  'dueDate days': datetime('2026-05-05T09:00:00'),
  'dueDate plain': { DateTime: '20260518T09:00:00' },
  'dueDate none': datetime('2026-05-18T09:00:00'),
  price: quoted('Circular saw', '7', '31.5'),
  'price integral': quoted('Angle grinder', '3', '9.0'),
  'price discount': quoted('Circular saw', '10', '22.5'),
  'price wrong type': fault(-32602, 'Invalid params: toolId: expected int, received string of length 3'),
  'price too few': fault(-32602, 'Invalid params: toolId: expected int, received nothing'),
  'price too many': fault(-32602, 'Invalid params: params: expected at most 3 parameters, received 4'),
  'price fraction': fault(-32602, 'Invalid params: toolId: expected int, received non-integer number'),
  borrow: dict({
    number: str('L-ada-2026-05-04'),
    lines: list(quoted('Circular saw', '3', '13.5'), quoted('Angle grinder', '7', '21.0')),
    total: float('34.5'),
    due: datetime('2026-05-11T09:00:00'),
    deliverTo: dict({ street: str('Mill Lane 1'), city: str('York') }),
  }),
  'borrow nothing': fault(422, 'A loan needs a tool'),
  'borrow wrong member': fault(
    -32602,
    'Invalid params: request.lines[0].toolId: expected int, received string of length 1',
  ),
  'sumFees none': dict({ currency: str('EUR'), amount: float('0.0') }),
  sumFees: dict({ currency: str('CHF'), amount: float('2.75') }),
  cancelLoan: none,
  'cancelLoan absent': fault(404, 'No such loan: 1'),
  countTools: dict({ wood: int('2'), metal: int('1'), garden: int('1') }),
  averageDays: float('3.0'),
  'averageDays none': float('0.0'),
  openingHours: strings('09:00', '13:00'),
  'openingHours closed': none,
  closeBooks: fault(-32603, 'Internal error'),
  'unknown method': fault(-32601, expect.stringMatching(/^Method not found/)),
  signature: list(strings('struct', 'int'), strings('struct', 'int', 'int'), strings('struct', 'int', 'int', 'double')),
  'signature rest': list(strings('struct', 'string'), strings('struct', 'string', 'double')),
  'signature context': list(strings('struct', 'string'), strings('struct', 'string', 'string')),
  help: str(
    'Returns the price of a loan.\n\n' +
      ':param toolId: The number of the tool\n' +
      ':param days: How long the tool is needed\n\n' +
      '    Default: 7\n' +
      ':param discount: What members get off, from 0 to 1\n' +
      ':return: The price in euros',
  ),
  'help tags': str(
    'Finds a user by name.\n\n' +
      ':param name: The name, as it was registered\n' +
      ':return: The user, or null when there is none',
  ),
}

/** In source order: file path, then position. */
export const procedures = [
  ...['dueDate', 'price', 'borrow', 'sumFees', 'cancelLoan'],
  ...['countTools', 'averageDays', 'openingHours', 'closeBooks'],
  ...['listTools', 'getTool', 'toolPhoto', 'checkPhoto', 'serialNumber', 'kilograms'],
  ...['user.create', 'user.find', 'greet'],
]
/** What the server adds, over XML-RPC. */
export const system = ['system.listMethods', 'system.methodHelp', 'system.methodSignature', 'system.multicall']
